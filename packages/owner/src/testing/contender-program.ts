import { connectToOwner } from '../lease/connect-to-owner.ts';
import { type Lease, seizeLease, takeLease } from '../lease/take-lease.ts';
import type { Order, Report } from './contender.ts';

// A program that takes and gives back the lease of a vault as its parent says.

let lease: Lease | undefined;

process.on('message', async (order: Order & { readonly id: number }) => {
  const report = await carryOut(order).catch((error: Error) => ({ error: error.message }));
  process.send?.({ id: order.id, ...report });
});
process.on('disconnect', () => process.exit());

async function carryOut(order: Order): Promise<Report> {
  switch (order.do) {
    case 'join':
      return await join(order);
    case 'seize': {
      const outcome = await seizeLease(order.folder, order.from, who());
      if ('heldBy' in outcome) return { attachedTo: outcome.heldBy };
      lease = outcome;
      return { owns: outcome.info };
    }
    case 'ask':
      return lease?.isHeld() ? { owns: lease.info } : {};
    case 'release':
      await lease?.[Symbol.asyncDispose]();
      lease = undefined;
      return {};
  }
}

/** Becomes the owner or attaches to it, as every face does. */
async function join({ folder }: Pick<Order, 'folder'>): Promise<Report> {
  for (;;) {
    const contact = await connectToOwner(folder, { patience: 10_000 });
    if (contact.status === 'connected') {
      contact.socket.destroy();
      return { attachedTo: contact.owner };
    }
    const outcome = await takeLease(folder, who());
    if ('heldBy' in outcome) continue;
    lease = outcome;
    return { owns: outcome.info };
  }
}

function who() {
  return { program: 'contender', version: '1.0.0', protocol: 1, since: Date.now() };
}
