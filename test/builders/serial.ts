let last = 0;

/** A number that no other object of the same test file has. */
export function nextSerial(): number {
  last += 1;
  return last;
}

/** Called before each test file, so that no number depends on the files that ran before in the same worker. */
export function restartSerial(): void {
  last = 0;
}
