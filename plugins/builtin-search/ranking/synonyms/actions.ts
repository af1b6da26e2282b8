/** What tools do: words that stand in for one another, one group a line. */
export const actions = `
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
attend attendee participant join participant
freeze block lock
block ban forbid
mute silence
merge combine
stash aside
reschedule update move
postpone snooze delay
remind remember
rephrase paraphrase rewrite
tone style
shorten summarize
bullet summary
`;
