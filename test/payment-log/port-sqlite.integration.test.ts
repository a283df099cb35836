import { describe } from 'vitest';
import { sqlite } from './port/engine.ts';
import { portTests } from './port/port.ts';

describe('the port of the payment log: SQLite', () => portTests(sqlite));
