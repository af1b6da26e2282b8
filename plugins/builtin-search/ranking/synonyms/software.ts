/** Software, devices and networks: words that stand in for one another, one group a line. */
export const software = `
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
button click
click press tap
form field input
keyboard type
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
blame author
staging stage
pipeline ci build
workflow pipeline automation
cron schedule
queue message
`;
