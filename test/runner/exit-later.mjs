// Gives the runner time to read what a failing step has printed.
process.on('exit', (code) => {
  if (code !== 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
});
