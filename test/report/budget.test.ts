import { describe, expect, it } from 'vitest';
import { Budget, takeWhileFits } from '../../src/report/budget.ts';

describe('Budget', () => {
  it('counts a text and its line end in bytes, if they fit', () => {
    const budget = new Budget(10);
    expect(budget.take('ééé')).toBe(true);
    expect(budget.left).toBe(3);
    expect(budget.take('abc')).toBe(false);
    expect(budget.left).toBe(3);
    expect(budget.take('ab')).toBe(true);
    expect(budget.left).toBe(0);
  });
});

describe('takeWhileFits', () => {
  it('stops at the first item that does not fit, even if a later one would', () => {
    const budget = new Budget(8);
    expect(takeWhileFits([1, 5, 2], budget, (length) => 'x'.repeat(length))).toEqual(['x', 'xxxxx']);
    expect(budget.left).toBe(0);
    expect(takeWhileFits([3, 9, 1], new Budget(8), (length) => 'x'.repeat(length))).toEqual(['xxx']);
  });
});
