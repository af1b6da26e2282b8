/** Documents, writing, design and law: words that stand in for one another, one group a line. */
export const documents = `
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
joke humor funny
quote quotation saying
random arbitrary
logo brand icon
design layout
font typeface
qr barcode
report summary document
dashboard report
law legal legislation
court legal case
crime police criminal
government gov public federal
patent ip invention
signature sign
contract agreement legal
clause contract
nda confidentiality agreement
trademark brand
lawsuit court case
attorney lawyer legal
fine penalty
essay paper
thesis paper
citation reference bibliography
professor researcher
experiment study
plagiarism similarity
grammar spelling
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
`;
