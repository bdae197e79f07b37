import { describe, expect, it } from 'vitest';
import { parseScenario, ruleFor } from '../../emulator/scenario.ts';

describe('a scenario', () => {
  it('may be empty: the documented caps, nothing found, nothing failing', () => {
    expect(parseScenario({})).toMatchObject({
      sizeCaps: { video: 5_000_000_000, audio: 500_000_000, image: 50_000_000, document: 100_000_000 },
      directCap: 10_000_000,
      uploadUrlSeconds: 3600,
      faults: [],
      files: [],
    });
  });

  it.each([
    [{ fils: [] }, 'fils'],
    [{ files: [{ issues: [] }] }, 'files.0.match'],
    [{ files: [{ match: 'a', issues: [{ sevrity: 'MAJOR' }] }] }, 'files.0.issues.0.sevrity'],
    [{ default: { ms: -1 } }, 'default.ms'],
    [{ rateLimits: { uploads: { limit: 1, perSeconds: 1 } } }, 'rateLimits'],
    [{ faults: [{ on: 'uploads' }] }, 'faults.0.on'],
    [{ faults: [{ on: 'uploads/url' }] }, 'exactly one'],
    [{ faults: [{ on: 'uploads/url', reset: true, status: 500 }] }, 'exactly one'],
    [{ faults: [{ on: 'uploads/url', reset: true, body: 'x' }] }, 'headers and a body'],
    [{ faults: [{ on: 'uploads/url', truncate: 1, when: 'before-work' }] }, 'after the work'],
    [{ faults: [{ on: 'uploads/url', status: 500, nth: 0 }] }, 'faults.0.nth'],
    ['text', 'scenario'],
  ])('%j is refused, naming what is wrong', (scenario, name) => {
    expect(() => parseScenario(scenario)).toThrow(name);
  });
});

describe('the rule for a file', () => {
  const scenario = parseScenario({
    default: { ms: 5, issues: [{ ruleCode: 'D' }] },
    files: [
      { match: 'hero-*.png', reads: 1 },
      { match: 'hero', issues: [] },
    ],
  });

  it.each([
    ['hero-1.png', { ms: 5, reads: 1, issues: [{ ruleCode: 'D' }] }],
    ['my-hero.mp4', { ms: 5, reads: 0, issues: [] }],
    ['other.png', { ms: 5, reads: 0, issues: [{ ruleCode: 'D' }] }],
  ])('%s is the first that matches, over the default', (filename, rule) => {
    expect(ruleFor(scenario, filename)).toMatchObject(rule);
  });
});
