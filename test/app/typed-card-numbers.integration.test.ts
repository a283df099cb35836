import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ipcRequests, requestNames } from '../../shared/contract/contract.ts';
import type { Result } from '../../shared/errors.ts';
import { newPayment } from '../../tools/app-harness/running-app.ts';
import { sampleInputs } from '../../tools/app-harness/sample-inputs.ts';
import { useApp } from '../../tools/app-harness/use-app.ts';

/** A card number that is typed into the window, in any text of any request. */

const typed = '4111 1111 1111 1111';
/** Fields whose content the window has from main; no person types them. */
const chosen = /^(?:id|profileId|orderNumber|movement)$/;
const app = useApp();

/** The input with the card number in the place of each of its texts in turn, with the place. */
const withCardIn = function* (
  input: unknown,
  path = '',
  build: (value: unknown) => unknown = value => value,
): Generator<readonly [path: string, input: unknown]> {
  if (typeof input === 'string') yield [path, build(`${input} ${typed}`)];
  if (typeof input !== 'object' || input === null) return;
  for (const [name, value] of Object.entries(input).filter(([field]) => !chosen.test(field)))
    yield* withCardIn(value, `${path}.${name}`, changed =>
      build(
        Array.isArray(input)
          ? input.map((one: unknown, at) => (at === Number(name) ? changed : one))
          : { ...input, [name]: changed },
      ),
    );
};

/** The files of a folder that contain the number, in any of its spellings. */
const filesWithCard = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(file => file.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter(file => /4111[ -]?1111[ -]?1111[ -]?1111/.test(readFileSync(file, 'latin1')));

test('no request brings a typed card number into a file of the console', async () => {
  const orderNumber = 'R-1';
  await app.value('payments.create', newPayment({ orderNumber }));
  await app.value('payments.create', newPayment({ orderNumber: 'OTHER-1' }));
  const tried: string[] = [];
  for (const name of requestNames)
    for (const [path, input] of withCardIn(sampleInputs(orderNumber)[name])) {
      const parsed = ipcRequests[name].input.safeParse(input);
      if (!parsed.success) continue;
      const handler = app.handlers[name] as (input: unknown) => Promise<Result<unknown>>;
      await handler(parsed.data);
      tried.push(`${name}${path}`);
    }
  expect(tried).toEqual(expect.arrayContaining(['payments.note.text', 'movements.record.text']));
  await app.close();
  expect(filesWithCard(app.folder)).toEqual([]);
});
