import failedAsset from '../examples/scenarios/failed-asset.json' with { type: 'json' };
import mixed from '../examples/scenarios/mixed.json' with { type: 'json' };
import outage from '../examples/scenarios/outage.json' with { type: 'json' };
import slowAnalysis from '../examples/scenarios/slow-analysis.json' with { type: 'json' };
import tryOut from '../examples/scenarios/try.json' with { type: 'json' };

/** The scenarios in examples/scenarios/, by their names. Imported, so that they are in the bundle of the action. */
export const READY_SCENARIOS: Readonly<Record<string, unknown>> = {
  'failed-asset': failedAsset,
  mixed,
  outage,
  'slow-analysis': slowAnalysis,
  try: tryOut,
};
