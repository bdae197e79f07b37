/** Checked before `start.ts` is loaded, which older Nodes cannot parse. A runner may ignore `using` in action.yml. */
const MIN_NODE = 24;

if (Number.parseInt(process.versions.node, 10) < MIN_NODE) {
  console.log(
    `::error::Media Compliance Gate needs Node ${MIN_NODE} or newer, and this runner started it with Node ${process.versions.node}. Update the runner.`,
  );
  process.exitCode = 1;
} else {
  // This variable turns off the check of TLS certificates: the key and the media could be sent to any server.
  delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
  void import('./start.ts').then(({ start }) => start());
}
