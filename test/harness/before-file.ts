import * as fc from 'fast-check';
import { restartSerial } from '../builders/serial.ts';

restartSerial();

// Every random test plays the same cases in every run. The weekly workflow asks for others; fast-check prints the seed of a failure.
fc.configureGlobal({ seed: Number(process.env['TEST_SEED'] ?? 1) });
