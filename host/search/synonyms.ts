import { stem } from './stem.ts';

/**
 * Words that stand in for one another in requests and in tools' descriptions, one group a line. Written from general
 * knowledge, not from anybody's queries. A word may stand in several groups; being related does not pass on from one
 * group to the next.
 */
const groups = `
get fetch retrieve obtain read load lookup access query pull
find search lookup query discover locate browse explore
list enumerate show display view browse
create add make new insert generate build
generate create produce compose draft
delete remove erase clear drop destroy purge discard
update edit modify change set patch alter adjust revise
rename name title
copy duplicate clone replicate
move transfer relocate migrate
send deliver dispatch post submit
post publish share upload tweet
upload import attach
download export save fetch
save store write persist record keep
open launch start
start begin launch run initiate trigger
stop end terminate kill halt cancel
cancel abort revoke withdraw undo
pause suspend hold
resume continue restart
run execute invoke perform launch
check verify validate test inspect confirm examine
verify authenticate confirm validate
compare diff difference versus contrast
calculate compute evaluate solve determine math
convert transform translate change turn
translate translation language interpret
summarize summary abstract condense recap digest overview
analyze analysis examine evaluate assess study inspect
assess evaluate rate score grade
predict forecast estimate project
estimate approximate guess quote
recommend suggest suggestion recommendation advise advice propose
schedule book plan arrange calendar appointment
book reserve reservation booking
buy purchase order acquire shop
sell trade
pay payment charge checkout billing
order purchase
subscribe subscription follow
unsubscribe unfollow
register signup enroll join
login signin authenticate logon
logout signout
invite add
merge combine join unite concatenate
split divide separate cut partition
sort order rank arrange
filter select narrow
extract parse scrape pull obtain
scrape crawl extract spider
parse decode interpret
encode encrypt
decode decrypt
compress zip shrink archive
decompress unzip extract
resize scale crop
draw plot chart graph visualize diagram render
chart graph plot diagram visualization
track monitor follow trace watch
monitor watch observe status
notify alert notification remind
remind reminder alert
alarm alert clock timer
respond reply answer
ask question query
answer reply response
chat message conversation talk
message text sms dm chat
email mail gmail inbox message
call phone dial telephone
phone telephone mobile cell number
contact person people address
person people user member individual
user account member profile customer
customer client user buyer
account profile
employee staff worker personnel
team group organization
company business corporation firm enterprise organization
product item goods merchandise
price cost fee rate value quote amount
cost expense price spending
discount deal coupon promo offer sale bargain promotion
cheap affordable budget
stock share equity ticker security
stock inventory
crypto cryptocurrency bitcoin coin token ethereum
currency money exchange forex fx
bank banking account
transfer remit wire send
transaction payment transfer trade
portfolio investment holdings
invest investment investing
finance financial money market
tax taxes taxation
loan mortgage credit lending
salary income wage pay earnings
invoice bill billing receipt
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
music song track audio album
song track music
artist singer musician band
lyrics lyric song
playlist tracks songs
movie film cinema
show series tv television
video movie clip film
actor cast actress
photo image picture photograph img
image picture photo
picture image
audio sound voice speech
speech voice audio spoken
transcribe transcript transcription caption subtitle
game gaming play player
sport sports match game league
team club squad
news headline article headlines
article story post paper
paper article publication research study
research study paper academic scholarly literature
journal publication
book novel reading
author writer
library package module dependency
document doc file pdf word
file document
folder directory dir
path file directory
spreadsheet excel sheet xlsx csv
presentation slides powerpoint ppt pptx slide
slide slides presentation
word docx document
pdf document
note notes memo
text string content
table spreadsheet
row record entry
column field
database db sql table
query sql
schema structure
website site web webpage page
page webpage url
url link website webpage
link url
browser web page
internet web online
code program source script
script program code
bug issue defect error problem
issue ticket bug
ticket issue case
error exception failure problem
repository repo git github
commit revision change
branch ref
pr pull
version release
deploy deployment release ship
server host machine instance
container docker
log logs logging
config configuration settings setting options preferences
setting preference option
job work employment career vacancy
resume cv
interview hiring
task todo item
todo task list
project work
meeting appointment event conference
event meeting happening occasion
calendar schedule agenda
agenda schedule calendar
date day time
time clock date timezone
timezone zone time
reminder alarm
deadline due
birthday birth
age old
school university college education
course class lesson learning
student learner pupil
learn study learning education
teach tutor lesson
language translation
word vocabulary term
definition meaning dictionary define
synonym thesaurus word
joke humor funny
quote quotation saying
random arbitrary
number numeric integer
percent percentage
area surface
size dimension
weight mass
speed velocity
shape geometry
color colour
logo brand icon
design layout
template format
font typeface
qr barcode
password credential secret
key token secret
permission access role
security safety secure
scan check inspect
domain whois dns
ip address network
network internet connection connectivity
wifi wireless internet network
device gadget hardware
battery power
screen display monitor
screenshot capture snapshot
brightness display
volume sound loudness
button click
click press tap
form field input
keyboard type
print printer
camera photo
sensor measurement reading
reading measurement value
statistics stats statistic data metrics
metric measurement statistic kpi
report summary document
dashboard report
trend trending popular
popular trending top hot
top best leading highest
ranking rank leaderboard standings
standings ranking table
result outcome score
score result points
review rating feedback comment
comment reply feedback
feedback review survey
survey questionnaire poll
vote poll
tag label category
category type class kind genre
genre category
status state condition
history past historical previous log
historical history past
recent latest newest new
latest newest recent current
current present now live
live realtime current
upcoming future next
holiday vacation
law legal legislation
court legal case
crime police criminal
government gov public federal
patent ip invention
insurance policy coverage
charity donation donate nonprofit
donate donation charity give
gift present
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
baby pregnancy child
child kid children
family relatives
dating relationship
wedding marriage
clothing clothes fashion outfit apparel
shoes footwear
beauty cosmetic makeup skin
hair hairstyle
shipping delivery shipment package
package parcel shipment delivery
track tracking shipment
store shop retailer
shop store ecommerce
cart basket
seller vendor merchant supplier
brand manufacturer
ad advertisement advertising ads campaign
marketing advertising promotion
seo search ranking keyword
keyword term phrase
social media
follower subscriber fan
channel stream
podcast episode audio
stream streaming live
caption description
emoji sticker gif
gif animation
memory remember recall
remember memory store
knowledge fact information
wiki wikipedia encyclopedia
think reasoning thought
agent assistant bot
model llm ai
prompt instruction
embed embedding vector
similar related alike
relation relationship edge
node entity
graph network
tree hierarchy
chemical molecule compound
gene genetic genome dna
protein amino
clinical trial
hospital clinic
equation formula
formula equation
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
attend attendee participant join participant
attendee guest participant
fraud fraudulent scam phishing
refund reimburse reimbursement chargeback
voucher coupon
receipt expense
freeze block lock
block ban forbid
mute silence
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
lunch dinner breakfast meal
vegan vegetarian diet
pizza burger restaurant delivery
courier delivery rider
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
kilometer mile distance unit
kilogram pound unit weight
celsius fahrenheit temperature unit
unit measurement
arithmetic math calculator
equation algebra math
geometry trigonometry math
average median statistics
novel book
fiction story book
poem poetry poet
comic manga anime
painting art artwork artist
drawing sketch illustration image
karaoke vocal lyrics
melody song tune
concert gig festival event
theater theatre show
ticket admission
cinema showtime
trailer preview
subtitle caption
clip video
footage video
mp3 audio
podcast radio
louder volume
mute volume
selfie photo
heic jpeg png image
pixel resolution
crop trim cut
blur blurry sharpen upscale
watermark stamp
signature sign
contract agreement legal
clause contract
nda confidentiality agreement
trademark brand
lawsuit court case
attorney lawyer legal
fine penalty
tenant landlord rent
flat apartment
house villa home
mortgage loan
interest rate
installment payment
iban bank transfer
atm cash
debit credit card
checking savings account
pension retirement
inflation economy
dividend stock
bond treasury
etf fund
broker trading
candle ohlc price
gold silver metal
oil gas commodity
supplier vendor
procurement purchase
warehouse inventory stock
sku product
barcode product
return refund
customer support helpdesk
complaint ticket support
satisfaction csat
lead prospect contact
opportunity deal
funnel conversion
churn retention
newsletter email campaign
subject headline title
open click
tweet post
instagram facebook social
influencer creator
hashtag tag
visitor user traffic
pageview visit traffic
bounce traffic
vacation leave absence
sick leave
salary payslip payroll
applicant candidate
recruit hire hiring
onboarding hire
colleague coworker employee
manager supervisor boss
department team
bug crash
crash error
stacktrace traceback error
slow performance latency
cpu memory
disk storage space
backup snapshot dump
restore recover rollback
rollback undo revert
replica scale
pod container
cluster kubernetes
vm virtual instance
serverless lambda function
bucket s3 storage
cdn cache
cache purge
firewall block
certificate ssl tls
uptime availability
uptime down
outage incident down
oncall pager
alert incident
endpoint api
webhook callback
request http
header http
payload body
json xml yaml
regex pattern
lint style
test testing unit
coverage test
refactor rename
dead unused
duplicate copy
vulnerability cve security
malware virus
leak breach
2fa totp otp authenticator
secret credential
checksum hash
diff change
merge combine
stash aside
blame author
staging stage
pipeline ci build
workflow pipeline automation
cron schedule
queue message
topic channel
thread conversation
emoji reaction
mention tag
dm direct private
group channel chat
poll survey
invite invitation
reschedule update move
postpone snooze delay
remind remember
countdown timer
wake alarm
stopwatch timer
habit routine
goal target
deadline due
homework assignment
exam quiz test
grade mark
teacher student
flashcard card
essay paper
thesis paper
citation reference bibliography
professor researcher
experiment study
plagiarism similarity
grammar spelling
rephrase paraphrase rewrite
tone style
shorten summarize
bullet summary
outline structure
brainstorm idea
slogan headline
letter document
form field
signature pdf
scan ocr
handwriting ocr
spreadsheet cell
cell range
pivot table
formula function
slide deck presentation
diagram flowchart
mindmap diagram
wireframe mockup design
icon asset
palette color
font text
wallpaper background
avatar profile picture
3d model
printer print
filament spool
satellite orbit
rocket launch
asteroid near
moon lunar
mars rover
eclipse astronomy
zodiac horoscope
tarot fortune
dream interpretation
name baby
puppy dog
kitten cat
vet veterinary pet
breed pet
soccer football
basketball nba
baseball mlb
fixture match
lineup team
referee match
olympics sport
chess game
puzzle game
trivia quiz
riddle puzzle
dice random
coin flip
lottery random
raffle random
password generator
uuid identifier id
unique distinct
timestamp date time
timezone zone
duration length
interval period
holiday festival
anniversary birthday
gift idea
recipe cook
`;

/** By stem, the stems of the words that it may stand for. */
export const synonyms: ReadonlyMap<string, ReadonlySet<string>> = readGroups(groups);

function readGroups(text: string): Map<string, Set<string>> {
  const related = new Map<string, Set<string>>();
  for (const line of text.trim().split('\n')) {
    const group = new Set(line.trim().split(/\s+/).map(stem));
    for (const word of group) {
      const others = related.get(word) ?? new Set();
      for (const other of group) if (other !== word) others.add(other);
      related.set(word, others);
    }
  }
  return related;
}
