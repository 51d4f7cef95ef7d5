import { expect, test } from 'vitest';
import { gateMail, type RawMail } from './mail-note.ts';
import { judge } from './mail-rules.ts';
import { isAboutMoney } from './money-words.ts';
import { rawMail } from './testing/sample-mail.ts';

test.each([
  'See you on Friday, dear friend',
  'To unsubscribe click here. Unsubscribe',
  'The payload of the request, and a charger for the phone',
  'We met in 2024, room 480, at 10:30, v1.2.3, +49 30 1234567',
  'Ask Lili, I am on a bus to an inn. A, b, c. U.S.A. e.g. i.e. Dr. A. B. Smith',
  'Wir treffen uns am Freitag zur Besprechung, liebe Freunde',
  'On se voit vendredi, chers amis',
  'Fr. 20.11. um 15 Uhr, oder am 3.-5. Mai, kostenlos',
  'Der neue Beitrag im Blog, der Inhalt, 5 ft, alle 5 lei arriva',
  'Feel free to load it, the department owns the loaf',
])('%j is not about money', (text) => {
  expect(isAboutMoney(text)).toBe(false);
});

test.each([
  'your salary, your loan, a fee, a deposit, a debt, what you owe',
  'your credit card has expired',
  'Gutschrift über 20',
  'Ihr Konto wurde belastet',
  'die Kaution',
  'der offene Betrag',
  'le montant dû',
  'le loyer',
  'un impayé',
  'importe pendiente',
  'la nómina',
  'el presupuesto',
  "l'importo dovuto",
  'la bolletta',
  'lo scontrino',
  'faktura',
  'számla',
  'regning',
  'räkning',
  'τιμολόγιο',
  'счёт на оплату',
  '請求書を送ります',
  '发票',
  'فاتورة',
  'ΙΝVΟΙCΕ',
  '500 kr',
  'kr 500',
  '50 zł',
  '500 руб.',
  '500円',
  'Fr. 120.–',
  'Rs. 500',
  '45,- netto',
])('%j is about money', (text) => {
  for (const part of text.split(', ')) expect([part, isAboutMoney(part)]).toEqual([part, true]);
});

test.each([
  ['digits', '1'],
  ['digits and signs', '1.,'],
  ['single letters', 'a '],
  ['letters with signs', 'a-'],
  ['beginnings of words', 'invoi '],
  ['beginnings without an end', 'zahlun'],
  ['spaces behind a sign', 'a-\n'],
  ['empty lines', '\n'],
  ['accents', '\u0301'],
])('a megabyte of %s is read to its end', (_, part) => {
  const long = part.repeat(1_000_000 / part.length);
  expect(isAboutMoney(long)).toBe(false);
  expect(isAboutMoney(`${long}\nI N V O I C E`)).toBe(true);
});

test('money is found in names of attachments, the sender, what was taken out and what was left out', () => {
  const said = { decision: 'archive', confidence: 1, reasoning: 'Nothing to do.' } as const;
  const rulesFor = (part: Partial<RawMail>) =>
    judge(said, gateMail({ ...rawMail, ...part }), { by: 'p:m', iterations: 1 }, 0.5).rules;
  expect(rulesFor({})).toEqual([]);
  for (const part of [
    { attachments: ['a.png', 'invoice_2026-01.pdf'] },
    { attachments: [...Array.from({ length: 60 }, (_, at) => `${at}.png`), 'rechnung.pdf'] },
    { attachments: [`${'x '.repeat(100)}invoice.pdf`] },
    { from: 'billing@example.org' },
    { from: '"The invoice team" <x@example.org>' },
    { from: `${'x '.repeat(300)}invoice <x@example.org>` },
    { headers: { 'reply-to': 'Invoices <x@example.org>' } },
    { subject: `${'x '.repeat(150)}invoice` },
    { body: 'Password: the invoice number' },
    { body: 'Card 4111 1111 1111 1111' },
    { body: 'DE89 3704 0044 0532 0130 00' },
    { isCut: true },
  ]) {
    expect([part, rulesFor(part)]).toEqual([part, ['money']]);
  }
});
