/** Music, films, pictures, books, games and sport: words that stand in for one another, one group a line. */
export const media = `
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
template format
brightness display
volume sound loudness
camera photo
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
`;
