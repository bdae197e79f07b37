import path from 'node:path';
import { expect } from 'vitest';
import { it } from '../harness/fixtures.ts';
import { png } from '../harness/media.ts';

/** A path as it is written on this system. `ci.yml` runs this test on Windows, too. */
function local(name: string): string {
  return name.replaceAll('/', path.sep);
}

const WAIVER = '- rule: AD-17\r\n  path: media/a.png\r\n  owner: me\r\n  reason: agreed\r\n  expires: 2099-01-01\r\n';
const SIDEKICKS = ['6f1c4d7e-0d5b-4d3e-9a53-0a9f5d1c2b3a', '7f1c4d7e-0d5b-4d3e-9a53-0a9f5d1c2b3a'];

it('lines may end as on Windows, in lists, JSON and waivers, and paths have the separators of the system', async ({
  gate,
  makeFolder,
}) => {
  const workspace = await makeFolder({
    'site/media/a.png': png('a'),
    'site/media/old/b.png': png('b'),
    'site/rules/waivers.yml': WAIVER,
  });
  const { outputs, sent, log } = await gate({
    workspace,
    // Outside GitHub, the waivers of the checkout count.
    event: { name: '', payload: {} },
    scenario: { default: { issues: [{ severity: 'CRITICAL', ruleCode: 'AD-17', sidekickId: SIDEKICKS[1] ?? '' }] } },
    inputs: {
      files: local('media/**/*.png\r\n!media/old/**\r\n'),
      'working-directory': local('./site/'),
      'waivers-file': local('rules/waivers.yml'),
      'state-file': local('state/gate.json'),
      'sidekick-ids': SIDEKICKS.join('\r\n'),
      'ignore-statuses': 'RESOLVED\r\nDISMISSED\r\n',
      metadata: '{\r\n  "team": "shop"\r\n}',
    },
  });
  expect(outputs, log).toMatchObject({
    verdict: 'pass',
    'files-matched': '1',
    'state-file': path.join(workspace, 'state/gate.json'),
  });
  expect(sent).toEqual(['media-a.png']);
});

it('a path may be longer than 260 characters', async ({ gate }) => {
  const folder = Array.from({ length: 8 }, (_, index) => String(index).repeat(50)).join('/');
  const { outputs, log } = await gate({ files: { [`${folder}/b.png`]: png('b') } });
  expect(outputs, log).toMatchObject({ verdict: 'pass', 'files-submitted': '1' });
});
