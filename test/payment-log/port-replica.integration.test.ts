import { describe } from 'vitest';
import { replica } from './port/engine.ts';
import { portTests } from './port/port.ts';

describe('the port of the payment log: a replica', () => portTests(replica));
