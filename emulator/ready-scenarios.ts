import allClear from '../examples/scenarios/all-clear.json' with { type: 'json' };
import everythingIsBad from '../examples/scenarios/everything-is-bad.json' with { type: 'json' };
import failedAsset from '../examples/scenarios/failed-asset.json' with { type: 'json' };
import mixed from '../examples/scenarios/mixed.json' with { type: 'json' };
import noPlan from '../examples/scenarios/no-plan.json' with { type: 'json' };
import outage from '../examples/scenarios/outage.json' with { type: 'json' };
import rateLimit from '../examples/scenarios/rate-limit.json' with { type: 'json' };
import slowAnalysis from '../examples/scenarios/slow-analysis.json' with { type: 'json' };
import tryOut from '../examples/scenarios/try.json' with { type: 'json' };

/** The scenarios in examples/scenarios/, by their names. Imported, so that they are in the bundle of the action. */
export const READY_SCENARIOS: Readonly<Record<string, unknown>> = {
  'all-clear': allClear,
  'everything-is-bad': everythingIsBad,
  'failed-asset': failedAsset,
  mixed,
  'no-plan': noPlan,
  outage,
  'rate-limit': rateLimit,
  'slow-analysis': slowAnalysis,
  try: tryOut,
};
