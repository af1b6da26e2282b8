/** Money, shopping and business: words that stand in for one another, one group a line. */
export const money = `
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
insurance policy coverage
charity donation donate nonprofit
donate donation charity give
gift present
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
fraud fraudulent scam phishing
refund reimburse reimbursement chargeback
voucher coupon
receipt expense
courier delivery rider
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
vacation leave absence
sick leave
salary payslip payroll
applicant candidate
recruit hire hiring
onboarding hire
colleague coworker employee
manager supervisor boss
department team
`;
