/** Numbers, units, statistics and science: words that stand in for one another, one group a line. */
export const science = `
number numeric integer
percent percentage
area surface
size dimension
weight mass
speed velocity
shape geometry
color colour
sensor measurement reading
reading measurement value
statistics stats statistic data metrics
metric measurement statistic kpi
trend trending popular
popular trending top hot
top best leading highest
ranking rank leaderboard standings
standings ranking table
result outcome score
score result points
chemical molecule compound
gene genetic genome dna
protein amino
clinical trial
equation formula
function method
matrix vector
derivative calculus
integral calculus
probability chance odds
odds betting bet
average mean
sum total add
count number total
maximum max highest
minimum min lowest
big bigger large larger enlarge
small smaller shrink reduce
fast quick speed
kilometer mile distance unit
kilogram pound unit weight
celsius fahrenheit temperature unit
unit measurement
arithmetic math calculator
equation algebra math
geometry trigonometry math
average median statistics
unique distinct
timestamp date time
timezone zone
duration length
interval period
`;
