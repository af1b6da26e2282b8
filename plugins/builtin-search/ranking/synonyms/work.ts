/** Work, time, learning and knowledge: words that stand in for one another, one group a line. */
export const work = `
job work employment career vacancy
resume cv
interview hiring
task todo item
todo task list
project work
meeting appointment event conference
event meeting happening occasion
calendar schedule agenda
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
memory remember recall
remember memory store
knowledge fact information
wiki wikipedia encyclopedia
countdown timer
wake alarm
stopwatch timer
habit routine
goal target
homework assignment
exam quiz test
grade mark
teacher student
flashcard card
`;
