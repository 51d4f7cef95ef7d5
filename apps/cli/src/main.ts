const [command, subcommand, verb, ...rest] = process.argv.slice(2);
const isBridgeEvent = command === 'hooks' && subcommand === 'bridge' && verb === 'event';

// An agent waits for this at every prompt: nothing else is loaded for it.
if (isBridgeEvent && !rest.includes('--help') && !rest.includes('-h')) {
  const { startBridgeEvent } = await import('./bridge-event.ts');
  await startBridgeEvent(rest);
} else {
  const { startErrand } = await import('./start-errand.ts');
  await startErrand();
}
