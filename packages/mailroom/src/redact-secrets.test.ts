import { expect, test } from 'vitest';
import { redactSecrets } from './redact-secrets.ts';

// A phrase, and the secret in it. English, German, French, Spanish, Italian.
const phrases: readonly (readonly [text: string, secret: string])[] = [
  ['Password: hunter2', 'hunter2'],
  ['Your password is hunter2.', 'hunter2'],
  ['The password is swordfish.', 'swordfish'],
  ['Your new password:\n\n  Xy7!pQ', 'Xy7!pQ'],
  ['login bob, pw=s3cr3t!', 's3cr3t!'],
  ['user: bob\npass: tr0ub4dor', 'tr0ub4dor'],
  ['Use the passphrase "correct horse battery staple" to open it.', 'correct horse'],
  ['passphrase: correct horse battery staple', 'correct horse'],
  ['I changed the password to Winter2026!', 'Winter2026!'],
  ['"hunter2!" is your temporary password', 'hunter2!'],
  ['The passcode for the door is 4711', '4711'],
  ['password hunter22!', 'hunter22!'],
  ['Credentials: admin / Pa55word', 'Pa55word'],
  ['api key = abc123def456ghi', 'abc123def456ghi'],
  ['123456 is your verification code', '123456'],
  ['Your code is 482 913', '482 913'],
  ['G-482913 is your Google verification code', '482913'],
  ['Use 482913 to sign in. It expires in 10 minutes.', '482913'],
  ['One-time PIN: 9021', '9021'],
  ['OTP 77120 for your transaction', '77120'],
  ['Your 2FA code: A7K9Q2', 'A7K9Q2'],
  ['Enter this code to log in:\n\n  5 5 1 2 9 0\n', '5 5 1 2 9 0'],
  ['CVV 123, card 4111 1111 1111 1111', '4111 1111 1111 1111'],
  ['Card: 5500-0000-0000-0004 exp 12/28', '5500-0000-0000-0004'],
  ['amex 378282246310005', '378282246310005'],
  ['IBAN DE89 3704 0044 0532 0130 00', '3704 0044 0532'],
  ['key sk-proj-abcdefghijklmnopqrstuvwx', 'sk-proj-abcdef'],
  ['token ghp_abcdefghijklmnopqrstuvwxyz0123456789', 'ghp_abcdef'],
  ['-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----', 'MIIEvQ'],
  ['Reset it: https://example.org/reset?token=abcdef123456', 'abcdef123456'],
  ['Open https://app.example.org/login/magic/9f8e7d6c5b4a39281706', '9f8e7d6c5b4a'],
  ['Ihr Passwort lautet Sommer2026', 'Sommer2026'],
  ['Das Kennwort ist Geheim!1', 'Geheim!1'],
  ['Passwort: geheim', 'geheim'],
  ['Ihr Einmalpasswort: 882211', '882211'],
  ['Ihr Bestätigungscode lautet 550123', '550123'],
  ['TAN 123456 für Ihre Überweisung', '123456'],
  ['Geheimzahl: 4321', '4321'],
  ['Zugangsdaten: max / Mustermann1!', 'Mustermann1!'],
  ['Votre mot de passe est Soleil2026', 'Soleil2026'],
  ['Mot de passe : tournesol', 'tournesol'],
  ['Votre code de vérification est 778899', '778899'],
  ['Code à usage unique : 120045', '120045'],
  ['Tu contraseña es Girasol2026', 'Girasol2026'],
  ['Contraseña: girasol', 'girasol'],
  ['Su código de verificación es 334455', '334455'],
  ['La clave de acceso es Luna#22', 'Luna#22'],
  ['La tua password è Girasole2026', 'Girasole2026'],
  ['Password: girasole', 'girasole'],
  ['Il tuo codice di verifica è 665544', '665544'],
  ['Codice usa e getta: 90871', '90871'],
  ['La parola chiave è Tramonto!9', 'Tramonto!9'],
  ['pass\u200bword: hunter2', 'hunter2'],
  ['ｐａｓｓｗｏｒｄ： hunter2', 'hunter2'],
  ['La contraseña nueva es: perroverde', 'perroverde'],
  ['La tua nuova password è: gattonero', 'gattonero'],
  ['Das Passwort für den Gast-Zugang lautet: willkommen', 'willkommen'],
  ['WLAN-Schlüssel: Fritz-8832-xyz', 'Fritz-8832-xyz'],
  ['Password\n\nZx9-kk-21\n', 'Zx9-kk-21'],
  ['Please use "opensesame" as the password.', 'opensesame'],
  ['the password was changed from Apple11 to Pear22', 'Apple11'],
  ['the password was changed from Apple11 to Pear22', 'Pear22'],
  ['Passwort: [geheim123]', 'geheim123'],
  ['| Password | Banana12 |', 'Banana12'],
  ['Pass word - Banana12', 'Banana12'],
  ['Bitte geben Sie 449 201 in der App ein, um sich anzumelden.', '449 201'],
  ['Saisissez 771 204 pour vous connecter', '771 204'],
  ['482913 – use this to verify your account', '482913'],
  ['Codice di sicurezza: 411', '411'],
  ['CVV: 987', '987'],
  ['security code on the back 123', '123'],
  ['it60x0542811101000000123456 is our account', '0542811101000000123456'],
  ['AWS secret: wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', 'wJalrXUtnFEMI'],
  ['export TOKEN=abc9876543210def', 'abc9876543210def'],
  ['Authorization: Bearer 8f14e45fceea167a5a36dedd4bea2543', '8f14e45f'],
  ['Backup codes:\n1234-5678\n8765-4321', '8765-4321'],
  ['The alarm code: 9-9-2-1', '9-9-2-1'],
];

test.each(phrases)('takes the secret out of %j', (text, secret) => {
  const { text: left, redactions } = redactSecrets(text);
  expect(left).not.toContain(secret);
  expect(redactions.length).toBeGreaterThan(0);
  expect(redactSecrets(left).text).toBe(left);
});

test('there are fifty phrases in five languages', () => {
  expect(phrases.length).toBeGreaterThanOrEqual(50);
});

test.each([
  'Can we meet on Friday at 15:30 in room 2041?',
  'The password is about to expire. Please change it.',
  'Order 48291 from 12 March 2026 has left our house.',
  'Call me: +49 30 901820, or come to Main Street 1234.',
  'Your password is not correct.',
  'Invoice 2026-0117 over 1,250.00 EUR is due on 30 November 2026.',
  'See https://example.org/docs/login-page for the manual.',
  'Das Passwort ist abgelaufen, bitte ändern Sie es.',
  'Your order #112-8837465-2211334 has shipped.',
  'Postal code 10115 Berlin.',
  'Bonjour, le code postal est 75011.',
  'The code review found 1500 issues in 2025.',
])('leaves %j as it is', (text) => {
  expect(redactSecrets(text)).toEqual({ text, redactions: [] });
});

test('counts what it took out, by kind', () => {
  const text = 'Password: hunter2\nCode: 123456\nCode: 654321\nCard 4111111111111111';
  expect(redactSecrets(text).redactions.toSorted((a, b) => a.kind.localeCompare(b.kind))).toEqual([
    { kind: 'card', count: 1 },
    { kind: 'code', count: 2 },
    { kind: 'password', count: 1 },
  ]);
});

test('takes no time for text that is made to take long', () => {
  const started = performance.now();
  const pieces = [
    'password ',
    'code 1',
    'code 1234 ',
    'a'.repeat(60),
    '4 ',
    'https://a/',
    'pass:',
    '"x',
    'a-',
    '-----',
  ];
  for (const piece of pieces) {
    redactSecrets(piece.repeat(20_000));
  }
  // Not a measurement: a pattern that backtracks needs minutes.
  expect(performance.now() - started).toBeLessThan(20_000);
});
