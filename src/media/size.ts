const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** Decimal, as the service's limits are written: `1.5 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // 999,950 bytes would be rounded to 1000.0 kB.
  while (unit < UNITS.length - 1 && value >= (unit === 0 ? 1000 : 999.95)) {
    value /= 1000;
    unit++;
  }
  const number = unit === 0 ? String(value) : value.toFixed(1).replace(/\.0$/, '');
  return `${number} ${value === 1 && unit === 0 ? 'byte' : UNITS[unit]}`;
}
