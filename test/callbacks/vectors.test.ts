import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { inspect } from '../../main/callbacks/inspect.ts';
import { parseCallbacks } from '../../main/callbacks/parse.ts';
import { readBody } from '../../main/callbacks/read-body.ts';
import { verifyFields } from '../../main/callbacks/verify-callback.ts';

/** Callbacks written and signed by other programs, in the forms that people paste. */

const folder = join(import.meta.dirname, '../fixtures/callbacks');
const expectedSchema = z.object({
  password: z.string(),
  verified: z.boolean(),
  fields: z.record(z.string(), z.string()),
});

const names = readdirSync(folder)
  .filter(file => file.endsWith('.expected.json'))
  .map(file => file.slice(0, -'.expected.json'.length));
const expectedOf = (name: string) =>
  expectedSchema.parse(JSON.parse(readFileSync(join(folder, `${name}.expected.json`), 'utf8')));
const filesOf = (name: string) =>
  readdirSync(folder).filter(file => file.startsWith(`${name}.`) && file.endsWith('.txt'));

describe.each(names)('the callback %s', name => {
  const { password, verified, fields } = expectedOf(name);
  const candidate = { profileId: 'shop', password, digest: 'md5' } as const;

  test.each(filesOf(name))(
    'a callback of the vectors is read, verified and inspected from %s',
    async file => {
      const bytes = readFileSync(join(folder, file));
      const { callbacks } = parseCallbacks(bytes);
      expect(callbacks.map(found => Object.fromEntries(found.fields))).toEqual([fields]);
      expect(callbacks.map(found => verifyFields(found.fields, candidate).verdict)).toEqual([
        verified ? 'verified' : 'invalid',
      ]);
      const inspection = await inspect(bytes, { candidates: [candidate] });
      expect(inspection.callbacks[0]?.verification.verdict).toBe(verified ? 'verified' : 'invalid');
    },
  );

  test.each(
    filesOf(name).flatMap(file =>
      /\.(?:lines|lines-crlf-bom|lines-trailing-amp-indented|urlencoded|json)\.txt$/.test(file)
        ? ['', 'application/x-www-form-urlencoded', 'application/octet-stream', 'text/plain'].map(
            type => [file, type] as const,
          )
        : [],
    ),
  )('a callback of the vectors is received from %s under the content type "%s"', (file, type) => {
    const bodies = readBody(readFileSync(join(folder, file), 'utf8'), type);
    expect(bodies.map(body => Object.fromEntries(body.fields))).toEqual([fields]);
  });
});
