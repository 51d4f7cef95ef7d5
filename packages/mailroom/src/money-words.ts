import {
  foldLookalikes,
  joinHyphenated,
  joinSpelled,
  skeleton,
  skeletons,
} from './fold-lookalikes.ts';
import type { Redaction } from './mail-board.ts';

interface MailParts {
  readonly from: string;
  readonly replyTo?: string | undefined;
  readonly subject: string;
  readonly body: string;
  readonly attachments: readonly string[];
  readonly redactions: readonly Redaction[];
}

/** Whether any part of a mail is about money, or a card or account number was taken out of it. */
export function isMailAboutMoney(mail: MailParts): boolean {
  const { from, replyTo = '', subject, body, attachments, redactions } = mail;
  return (
    redactions.some(({ kind }) => kind === 'card' || kind === 'account') ||
    [subject, body, from, replyTo, ...attachments].some(isAboutMoney)
  );
}

/**
 * Whether a text is about money, also when look-alike letters, digits for letters or signs between letters hide it.
 * Every pattern is bounded, so the time is linear in the length of the text.
 */
export function isAboutMoney(text: string): boolean {
  const folded = foldLookalikes(text);
  if (anyWord.test(folded) || amount.test(folded)) return true;
  const lookalike = skeletons(folded);
  return (
    anySkeleton.test(lookalike) ||
    anySkeleton.test(joinHyphenated(lookalike)) ||
    joinSpelled(folded).some((joined) => spelledWord.test(skeleton(joined)))
  );
}

// Payment, invoice, subscription, billing, charge and refund, in several languages and without accents. A star stands
// for more letters, an underscore for a space. "Unsubscribe" is left out: it is at the end of every newsletter.
const words = `
  pay pays payable paying payer payers payee payees payout* payroll* paypal paycheck* payslip* payback *payment*
  paid unpaid prepaid repaid overpaid underpaid
  *invoic* subscri* resubscri* bill bills billed *billing billable
  charge charges charged charging chargeable chargeback* surcharge* overcharge*
  *refund* reimburs* receipt receipts overdue bank_transfer* wire_transfer* direct_debit* debited purchase_order*
  dollar dollars euros bucks rupees fee fees salary salaries loan loans mortgage* debt debts owe owes owed deposit deposits
  credit_card* debit_card* amount_due balance_due bank_statement* bank_account*

  *rechnung* *zahlung* *bezahl* zahlbar zu_zahlen zahlen_sie *uberweis* *ueberweis* *mahnung* *lastschrift* *gebuhr*
  *gebuehr* *erstattung* *ruckerstatt* *rueckerstatt* abo abos *abonnement* *abonnent*
  *gutschrift* kontoauszug* belastet *kaution inkasso* *kreditkart* betrag betrage *gesamtbetrag* kosten spesen *gehalter
  gehalt mitgliedsbeitrag*

  *factur* *paiement* payer montant* impaye* frais loyer loyers devis prelevement* *rembours* virement*
  pago pagos pagar pagado pagada pague *reembols* suscripci* suscrib* cobro* cargo cargos
  importe importes presupuesto* recibo recibos deuda deudas transferencia* nomina nominas cuota cuotas
  *fattur* *pagament* pagare pagato rimbors* bonifico bonifici addebit* *abbonament* ricevuta
  importo importi preventivo bolletta bollette scontrino stipendio multa multe
  fatura* assinatura* cobranca*
  *betaling* betalen betaald *factuur* *facturen rekening* terugbetal*
  faktur* szamla* rakning* regning* lasku laskun τιμολογι* счет* рахунок* *оплат* *請求書* *发票* *發票* *فاتورة*
`
  .trim()
  .split(/\s+/)
  // As texts are: words of other alphabets have letters that look like Latin ones.
  .map(foldLookalikes);

const anyWord = anyOf(words);
const anySkeleton = anyOf(words.map(skeleton));
const spelledWord = anyOf(
  words
    .map((word) => skeleton(word.replace(/[*_]/g, '')))
    // Shorter words are part of too much that is spelled out.
    .filter((word) => word.length > 3 || word === 'pay')
    .map((word) => `*${word}*`),
);

/** A pattern that finds any word of a list as above. */
function anyOf(list: readonly string[]): RegExp {
  const patterns = list.map((word) => {
    const [, before, stem = '', after] = /^(\*?)([^*]+)(\*?)$/.exec(word) ?? [];
    const start = before ? '' : String.raw`(?<![\p{L}\d])`;
    const end = after ? '' : String.raw`(?![\p{L}\d])`;
    return start + stem.replaceAll('_', String.raw`\s{1,3}`) + end;
  });
  return new RegExp(patterns.join('|'), 'u');
}

const symbol = '[€$£¥₹₽₩₺₿]';
const code = 'eur|usd|gbp|chf|jpy|sek|nok|dkk|pln|czk|cad|aud|inr|huf|ron|rub|btc|kr|rs';
const before = String.raw`(?:${symbol}|(?<![\p{L}\d])(?:${code}|euro))\.?\s{0,2}\p{Nd}`;
const currency = `${symbol}|(?:${code})(?![a-z])|euros?|dollar|dolar|pounds?|franken|francs?|yen|forint|zl(?![a-z])|s?fr(?![a-z])|${foldLookalikes('руб')}|[元円圆]`;
// `120.–`, `45,-`
const whole = String.raw`\p{Nd}[.,][–-]{1,2}(?![\p{L}\p{Nd}])`;
const after = String.raw`\p{Nd}[.,–-]{0,3}\s{0,2}(?:${currency})`;
const amount = new RegExp(`${before}|${after}|${whole}`, 'u');
