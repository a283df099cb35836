import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contractFile, contractPage } from '../../scripts/generate/contract-table.ts';

test('the contract table in the docs equals the contract', async () => {
  expect(readFileSync(contractFile, 'utf8'), 'run `npm run docs:contract`').toBe(await contractPage());
});
