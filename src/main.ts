/** Loads the action itself, which an older Node could not even parse: the runner may ignore `using` in action.yml. */
const MIN_NODE = 24;

if (Number.parseInt(process.versions.node, 10) < MIN_NODE) {
  console.log(
    `::error::Media Compliance Gate needs Node ${MIN_NODE} or newer, and this runner started it with Node ${process.versions.node}. Update the runner.`,
  );
  process.exitCode = 1;
} else {
  // A job must not be able to send the key and the media to a server that proves nothing.
  delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
  void import('./start.ts').then(({ start }) => start());
}
