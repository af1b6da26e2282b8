/** Food, health, pets and celebrations: words that stand in for one another, one group a line. */
export const life = `
restaurant dining eat food cafe
food meal dish cuisine cooking
recipe cooking cook dish meal ingredient
ingredient recipe food
nutrition calorie diet nutrient
drink beverage cocktail
grocery groceries supermarket
health medical healthcare wellness
doctor physician medical
disease illness condition disorder
drug medicine medication pharmaceutical
symptom illness diagnosis
exercise workout fitness training gym
holiday vacation
clothing clothes fashion outfit apparel
shoes footwear
beauty cosmetic makeup skin
hair hairstyle
hospital clinic
lunch dinner breakfast meal
vegan vegetarian diet
pizza burger restaurant delivery
wine beer drink
coffee cafe
bread milk grocery shopping
kitchen cooking
butter ingredient
tablet pill medicine medication
ibuprofen aspirin drug
dentist doctor physician
dermatologist doctor specialist
pulse heart
blood lab
sleep night rest
weight bmi
run running jog exercise
yoga meditation
pregnant pregnancy
therapist psychologist counseling mental
anxiety stress mental
dream interpretation
name baby
puppy dog
kitten cat
vet veterinary pet
breed pet
holiday festival
anniversary birthday
gift idea
recipe cook
`;
