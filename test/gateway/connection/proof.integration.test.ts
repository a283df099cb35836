import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createGateway } from '../../../main/gateway/create-gateway.ts';
import type { CheckLinkMaker } from '../../../main/gateway/gateway.ts';
import type { Profile } from '../../../shared/settings/profile.ts';
import { sandboxProfile } from '../gateway-server.ts';
import { plainModel, startModelledGateway, type GatewayModel } from './modelled-gateway.ts';
import { tableOf } from '../../../tools/app-harness/table.ts';

/** What a connection check proves of key and password, at gateways that answer in every way we know or can think of. */

type Wrong = Partial<Pick<Profile, 'merchantKey' | 'digest' | 'sessionPath' | 'statusForm' | 'baseUrl'>> & {
  password?: string;
};

/** Checks a profile that is right for `model` apart from `wrong`; the links are made without a payment log. */
const check = async (
  kind: 'test' | 'live',
  model: GatewayModel,
  { password = model.password, ...wrong }: Wrong,
) => {
  const server = await startModelledGateway(model);
  const gateway = createGateway({ clock: Date.now });
  try {
    const { digest, statusForm, merchantKey } = model;
    const profile = sandboxProfile(server.port, {
      id: 'shop',
      digest,
      statusForm,
      merchantKey,
      sessionPath: model.sessionPath as Profile['sessionPath'],
      ...wrong,
      // Plain http needs the kind of a test; what differs for a live profile is that it makes no link.
      kind: 'test',
    });
    let made = 0;
    const makeLink: CheckLinkMaker = async better => {
      made += 1;
      const order = { number: `C-${made}`, amount: '0.01', currency: 'EUR', description: 'Connection check' };
      const used = { ...profile, ...better };
      const prepared = gateway.prepareSession(used, password, {
        ...order,
        methods: ['card'],
        customer: null,
      });
      const { number: orderNumber, ...rest } = order;
      return { outcome: await gateway.sendSession(used, prepared), orderNumber, ...rest };
    };
    const result = await gateway.check(profile, password, null, kind === 'test' ? makeLink : null);
    return {
      ...result,
      title: result.steps.at(-1)?.title.key,
      links: [...server.links],
      requests: server.requests.length,
    };
  } finally {
    await gateway.close();
    await server.close();
  }
};

const anyModel: fc.Arbitrary<GatewayModel> = fc.record({
  merchantKey: fc.constant('merchant-key-1'),
  password: fc.constantFrom('right password', 'Pässwort 1', 'ß'),
  digest: fc.constantFrom('md5', 'sha256'),
  sessionPath: fc.constantFrom('/api/v1/sessions/', '/api/v1/session'),
  statusForm: fc.constantFrom('get-json', 'get-query', 'post-json'),
  checksStatusHash: fc.constantFrom('first', 'known-payments', 'never'),
  unknownPayment: fc.constantFrom('as-wrong-hash', 'in-words', 'http-404', 'as-status'),
  unknownKey: fc.constantFrom('as-wrong-hash', 'in-words', 'http-401'),
  wrongHash: fc.constantFrom('in-words', 'http-401'),
  isNoisy: fc.boolean(),
  limit: fc.option(
    fc.record({ requests: fc.integer({ min: 1, max: 4 }), httpStatus: fc.constantFrom(403, 429) }),
  ),
  isWebPage: fc.constantFrom(false, false, false, true),
});

test('a connection check never calls a wrong password or key proven, for any answers of the gateway', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyModel,
      fc.constantFrom('test', 'live'),
      fc.constantFrom<Wrong>({ password: 'wrong password' }, { merchantKey: 'another key' }),
      async (model, kind, wrong) => {
        const { isProven, links } = await check(kind, model, wrong);
        expect(isProven).toBe(false);
        expect(links).toEqual([]);
      },
    ),
    { numRuns: 150 },
  );
}, 120_000);

test('a connection check of a test profile proves the right key and password, unless the gateway limits requests', async () => {
  await fc.assert(
    fc.asyncProperty(anyModel, async any => {
      const model = { ...any, isWebPage: false, limit: null };
      const { isProven, steps, links } = await check('test', model, {});
      expect(isProven).toBe(true);
      expect(steps.map(({ outcome }) => outcome)).not.toContain('bad');
      expect(links).toHaveLength(1);
    }),
    { numRuns: 80 },
  );
}, 120_000);

test('a connection check of a live profile makes no link, and proves key and password at a gateway that names unknown payments', async () => {
  for (const unknownPayment of ['in-words', 'http-404'] as const)
    for (const wrongHash of ['in-words', 'http-401'] as const) {
      const model = { ...plainModel, unknownPayment, wrongHash };
      expect(await check('live', model, {})).toMatchObject({ isProven: true, links: [], suspects: [] });
    }
});

test('a connection check of a live profile sends at most four requests, one of them with a wrong password', async () => {
  for (const unknownPayment of ['as-wrong-hash', 'in-words', 'http-404'] as const) {
    const { requests } = await check('live', { ...plainModel, unknownPayment }, {});
    expect(requests).toBeLessThanOrEqual(4);
  }
});

/** Words `name=value` as fields. */
const fieldsIn = (words = ''): Record<string, string | boolean> =>
  Object.fromEntries(
    words.split(' ').flatMap(word => {
      const [name = '', text = ''] = word.split('=');
      return name === '' ? [] : [[name, text === 'true' || text]];
    }),
  );

/** What is wrong | the profile | how the gateway differs | what the profile has instead | title | suspects | better. */
const cases = tableOf(`
  the password, at a gateway that names unknown keys | test | unknownKey=in-words | password=wrong | wrong.password | password |
  the password, at a gateway with one answer for everything | test | | password=wrong | wrong.both | merchantKey password |
  the key, at a gateway that names unknown keys | test | unknownKey=in-words | merchantKey=other | wrong.key | merchantKey |
  the key, at a gateway that answers 401 | test | unknownKey=http-401 | merchantKey=other | wrong.both | merchantKey password |
  the hash setting | test | digest=sha256 | digest=md5 | wrong.setting | digest | digest=sha256
  the session path | test | sessionPath=/api/v1/session | sessionPath=/api/v1/sessions/ | wrong.setting | sessionPath | sessionPath=/api/v1/session
  the form of status requests | test | statusForm=post-json | statusForm=get-json | status.other-form | statusForm | statusForm=post-json
  the address, which shows a web page | test | isWebPage=true | | wrong.address | baseUrl |
  the address, which shows a web page, of a live profile | live | isWebPage=true | | wrong.address | baseUrl |
  the key of a live profile, at a gateway that names unknown keys | live | unknownKey=in-words | merchantKey=other | wrong.key | merchantKey |
  the password of a live profile, at a gateway that answers 401 and names unknown keys | live | unknownKey=in-words wrongHash=http-401 | password=wrong | wrong.password | password |
  the hash setting of a live profile, at a gateway that names unknown payments | live | digest=sha256 unknownPayment=in-words | digest=md5 | wrong.setting | digest | digest=sha256
  the form of status requests of a live profile | live | statusForm=get-query | statusForm=get-json | status.other-form | statusForm | statusForm=get-query`);

test.each(cases)(
  'a connection check finds what is wrong: %s',
  async (_, kind, differs, wrong, expectedTitle, suspected = '', better) => {
    const model = { ...plainModel, ...fieldsIn(differs) };
    const {
      title,
      suspects,
      better: offered,
      ...found
    } = await check(kind === 'live' ? 'live' : 'test', model, fieldsIn(wrong));
    expect({ title, suspects, better: offered }).toEqual({
      title: `connection.${expectedTitle}`,
      suspects: suspected.split(' '),
      better: better === '' ? null : fieldsIn(better),
    });
    if (kind === 'live') expect([found.isProven, found.links]).toEqual([false, []]);
  },
);

test('a connection check names the address if neither links nor status checks exist there', async () => {
  const server = await startModelledGateway(plainModel);
  const { title, suspects } = await check('test', plainModel, {
    baseUrl: `http://127.0.0.1:${server.port}/other`,
  });
  expect([title, suspects]).toEqual(['connection.wrong.address', ['baseUrl']]);
});
