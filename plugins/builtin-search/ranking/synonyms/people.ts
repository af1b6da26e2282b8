/** People, messages and social media: words that stand in for one another, one group a line. */
export const people = `
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
review rating feedback comment
comment reply feedback
feedback review survey
survey questionnaire poll
vote poll
tag label category
baby pregnancy child
child kid children
family relatives
dating relationship
wedding marriage
social media
follower subscriber fan
channel stream
podcast episode audio
stream streaming live
caption description
emoji sticker gif
gif animation
attendee guest participant
subject headline title
open click
tweet post
instagram facebook social
influencer creator
hashtag tag
visitor user traffic
pageview visit traffic
bounce traffic
topic channel
thread conversation
emoji reaction
mention tag
dm direct private
group channel chat
poll survey
invite invitation
`;
