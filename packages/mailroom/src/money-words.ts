// Payment, invoice, subscription, billing, charge and refund, and what other languages say for them.
const words = [
  'payments?',
  'paid',
  'pay(?:able)?',
  'invoic\\w*',
  'subscri(?:ption|be|bed|ber)\\w*',
  'bill(?:s|ed|ing)?',
  'charg(?:e|es|ed|ing)',
  'refund\\w*',
  'receipts?',
  'overdue',
  'bank transfer',
  'wire transfer',
  'direct debit',
  'purchase order',
  'rechnung\\p{L}*',
  'zahlung\\p{L}*',
  'bezahl\\p{L}*',
  'überweis\\p{L}*',
  'mahnung\\p{L}*',
  'lastschrift\\p{L}*',
  'gebühr\\p{L}*',
  'erstattung\\p{L}*',
  'rückerstatt\\p{L}*',
  'abo',
  'abonnement\\p{L}*',
  'factur\\p{L}*',
  'paiement\\p{L}*',
  'payer',
  'prélèvement\\p{L}*',
  'rembours\\p{L}*',
  'virement\\p{L}*',
  'pagos?',
  'pagar',
  'reembols\\p{L}*',
  'suscripci\\p{L}*',
  'cobro\\p{L}*',
  'cargo',
  'fattur\\p{L}*',
  'pagament\\p{L}*',
  'rimbors\\p{L}*',
  'bonifico',
  'addebito',
  'fatura\\p{L}*',
  'assinatura',
  'betaling\\p{L}*',
  'factuur',
];

const money = new RegExp(`(?<![\\p{L}\\d])(?:${words.join('|')})(?![\\p{L}\\d])`, 'iu');
const amount =
  /(?:[€$£¥]|\b(?:EUR|USD|GBP|CHF|JPY))\s?\d|\d[\d.,]*\s?(?:[€$£¥]|(?:EUR|USD|GBP|CHF|JPY)\b)/;

/** Whether a mail speaks of money: such a mail is never archived. */
export function isAboutMoney(text: string): boolean {
  // Spaces and dots between letters, and letters of other forms, hide nothing.
  const plain = text.replace(/[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g, '').normalize('NFKC');
  return money.test(plain) || amount.test(plain);
}
