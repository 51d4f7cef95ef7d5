import { join } from 'node:path';
import { openMailDemo } from './demo/mail-demo.ts';
import { serveInBackground } from './serve-vault.ts';
import { launchBrowser, pictureSize, takePicture } from './take-picture.ts';

/** Pictures of the place for mail, from the demonstration. */
export async function makeMailPictures(folder: string): Promise<void> {
  await using demo = await openMailDemo({ laterAfterMs: 2 ** 31 - 1 });
  const home = join(demo.vault, '..');
  await using served = await serveInBackground(demo.vault, {
    home,
    env: demo.env,
    args: [...demo.args, '--port', '0'],
  });
  await using browser = await launchBrowser();
  const page = await browser.newPage({ viewport: pictureSize });
  await page.goto(served.url);
  await page.waitForURL(({ pathname }) => pathname === '/');
  await page.goto(`${new URL(served.url).origin}/#/mail`);
  await page.getByRole('button', { name: 'Unread of the last day' }).click();
  await page.locator('.mail-counts').getByText('7').waitFor({ timeout: 60_000 });
  await takePicture(page, 'Waits for approval', join(folder, 'mail.png'));
  // More of the list would say nothing more.
  await page.setViewportSize({ ...pictureSize, height: 560 });
  await page.getByRole('link', { name: 'Re: Site visit on Thursday' }).click();
  await page.getByRole('heading', { name: 'Reply' }).waitFor();
  await takePicture(page, 'Thursday at ten is fine.', join(folder, 'mail-reader.png'));
  await page.keyboard.press('a');
  await page.getByRole('button', { name: 'Approve and send' }).waitFor();
  await takePicture(page, 'Waits for approval', join(folder, 'mail-approve.png'));
}
