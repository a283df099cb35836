import { expect, test } from 'vitest';
import type { Event } from '../../../shared/payments/evidence.ts';
import { accepted, callback, note, requested } from '../../../tools/evidence/evidence.ts';
import { useLog } from '../../../tools/app-harness/use-log.ts';

const used = useLog();

const pagesOf = async (): Promise<Event[][]> => {
  const pages: Event[][] = [];
  for (let before: string | null = null; ;) {
    const { events, earlier } = await used.log.eventPage('sandbox', 'CF-1001', before);
    pages.push([...events]);
    if (earlier === null) return pages;
    before = earlier;
  }
};

test('all evidence of an order is returned in pages, newest first, each event once, with its requests', async () => {
  await used.append(requested(0), accepted(500));
  await used.append(...Array.from({ length: 700 }, (_, index) => note(1_000 + index, `note ${index}`)));
  const pages = await pagesOf();
  expect(pages.map(({ length }) => length)).toEqual([202, 200, 200, 102]);
  expect(pages[0]?.slice(0, 2).map(({ kind }) => kind)).toEqual(['session.requested', 'session.accepted']);
  const all = (await used.log.events('sandbox', 'CF-1001')).map(({ id }) => id);
  expect(new Set(pages.flat().map(({ id }) => id))).toEqual(new Set(all));
  expect(
    pages
      .toReversed()
      .flatMap(page => page.map(({ id }) => id))
      .filter((id, at, ids) => ids.indexOf(id) === at),
  ).toEqual(all);
});

test('a page is limited in text, and a long value is cut and followed by its length', async () => {
  const long = 'x'.repeat(60_000);
  await used.append(
    ...Array.from({ length: 40 }, (_, at) => callback(at, 'sale', 'success', { custom: `${at}${long}` })),
  );
  const pages = await pagesOf();
  expect(pages.length).toBeGreaterThan(3);
  expect(pages.flat()).toHaveLength(40);
  for (const page of pages) expect(JSON.stringify(page).length).toBeLessThan(1024 * 1024);
  const [event] = pages.at(-1) ?? [];
  const custom =
    event?.kind === 'callback.received' ? event.body.fields.find(([name]) => name === 'custom') : null;
  expect(custom?.[1]).toMatch(/^0x+… \(60001\)$/);
});

test('the effect of a change is returned without its evidence', async () => {
  await used.append(requested(0), accepted(500));
  const written = await used.log.append([callback(1_000, 'sale', 'success')]);
  const [event] = written.ok ? written.value.events : [];
  if (!event) throw new Error('not written');
  const { writer, writerSeq } = event;
  expect(await used.log.change('sandbox', 'CF-1001', { writer, writerSeq })).toMatchObject({
    previousState: 'waiting',
    payment: { state: 'paid-unconfirmed' },
  });
  expect(await used.log.change('sandbox', 'NONE', { writer, writerSeq })).toBeNull();
});
