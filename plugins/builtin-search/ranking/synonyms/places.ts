/** Places, travel, home, weather and nature: words that stand in for one another, one group a line. */
export const places = `
weather forecast temperature climate meteorological rain
temperature heat thermal
location place address position coordinates geo
address location geocode
coordinates latitude longitude geocode gps
map navigation directions route
route directions path navigation travel
distance far length proximity
near nearby around close closest nearest
city town municipality
country nation
region area zone territory
travel trip journey vacation tour holiday
flight plane airline airplane air aviation
airport terminal
train rail railway
bus transit transport
car vehicle auto automobile
taxi cab ride
parking park
hotel accommodation lodging stay room hostel
rent rental lease
house home property apartment housing
property estate listing house
pet animal dog cat
animal species wildlife
plant garden flower
environment environmental ecology
pollution air quality
energy power electricity
emission carbon footprint co2
space astronomy planet nasa
star astronomy
horoscope astrology zodiac
dream sleep
blind shutter curtain
lamp light bulb
heating heater thermostat warm
cold cool air
robot vacuum cleaner
garage door gate
burglar alarm security
kettle oven appliance
garden lawn yard
water irrigation
umbrella rain weather
snow rain weather
sunrise sunset dawn dusk
tide wave sea
storm warning alert
quake earthquake seismic
allergy pollen
allergy allergic
airport flight
delay late
boarding checkin
luggage baggage suitcase
passport visa
sightseeing sight attraction landmark tour
museum exhibition
beach coast sea
mountain hiking trail hike
bike bicycle cycling
scooter moped
petrol gas fuel gasoline
charge charging charger
highway motorway freeway road
tram subway metro underground bus
timetable departure schedule
ferry boat ship cruise
tenant landlord rent
flat apartment
house villa home
satellite orbit
rocket launch
asteroid near
moon lunar
mars rover
eclipse astronomy
zodiac horoscope
tarot fortune
`;
