import { restartSerial } from '../builders/serial.ts';

restartSerial();
