import { explainCallback, type ExplainedCallback } from '../../main/callbacks/inspect.ts';
import { parseCallbacks } from '../../main/callbacks/parse.ts';
import { maskFields, provenReading } from '../../main/callbacks/verify-callback.ts';
import { maskCardNumbers } from '../../shared/card-number.ts';
import { joined, msg } from '../../shared/messages/message.ts';
import {
  callbackFormSchema,
  type CallbackFields,
  type CallbackForm,
} from '../../shared/payments/evidence.ts';
import { printableJson } from '../../shared/messages/printable.ts';
import { digests } from '../../shared/gateway-variants.ts';
import { startCommand } from '../commands/command.ts';

/**
 * `inspect FILE|- [--password-file F] [--form NAME] [--digest md5|sha256] [--language en|de]`: reads callbacks from a
 * file in any form and prints them as JSON, verified and explained. Exit 0 if any was found, 1 if none, 2 for wrong
 * usage.
 */
const { format, stop, readArguments, readFile, passwordIn } = startCommand(
  msg('inspect.usage', {
    syntax: 'inspect FILE|- [--password-file FILE|-] [--form NAME] [--digest md5|sha256] [--language en|de]',
    shape:
      '{ callbacks: [{ fields, form, verified, uppercasing, explanation, causes, meaning, effect, problems }], form, found, problems }',
    forms: callbackFormSchema.options.join(', '),
  }),
);

/** Standard input to its end; a stream, because a synchronous read of a Windows console may fail with EOF or EAGAIN. */
const readInput = async (): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

const readWhole = async (file: string): Promise<Buffer> => (file === '-' ? readInput() : readFile(file));

const objectOf = (fields: CallbackFields): Record<string, string> => {
  const values = new Map<string, string>();
  // The first value of a repeated name counts, as it does for the verdict; the problems name the repetition.
  for (const [name, value] of fields) if (!values.has(name)) values.set(name, value);
  return Object.fromEntries(values);
};

const verifiedOf = ({ verification, doubt }: ExplainedCallback): boolean | null =>
  doubt !== null || verification.verdict === 'no-password' ? null : verification.verdict === 'verified';

// An unknown option could hold the password: it is refused without being repeated.
if (process.argv.slice(2).some(argument => /^--?p(?:ass(?:word|wd)?|w|wd)?(?:=|$)/i.test(argument)))
  stop(msg('inspect.password-option'));
const { values, positionals } = readArguments({
  'password-file': { type: 'string' },
  form: { type: 'string' },
  digest: { type: 'string' },
});
const [file, ...more] = positionals;
if (file === undefined) stop(msg('inspect.no-file'));
else {
  if (more.length > 0) stop(msg('inspect.one-file'));
  const form = callbackFormSchema.nullable().safeParse(values.form ?? null);
  if (!form.success) stop(msg('inspect.form-unknown'));
  const digest = digests.find(one => one === (values.digest ?? 'md5'));
  if (!digest) stop(msg('inspect.digest-unknown'));
  if (file === '-' && values['password-file'] === '-') stop(msg('inspect.input-twice'));
  const password =
    values['password-file'] === undefined ? null : passwordIn(await readWhole(values['password-file']));
  const candidates = password === null ? [] : [{ profileId: 'file', password, digest: digest ?? 'md5' }];

  const { callbacks, problems } = parseCallbacks(await readWhole(file), form.data ?? null);
  const forms = new Map<CallbackForm, number>();
  let searches = 0;
  let found = 0;
  process.stdout.write('{"callbacks":[');
  for (const given of callbacks) {
    const callback = provenReading(given, candidates);
    const explained = await explainCallback(
      callback.fields,
      { candidates },
      searches < 50,
      callback.doubt ?? null,
    );
    if (explained.verification.verdict === 'invalid') searches++;
    forms.set(callback.form, (forms.get(callback.form) ?? 0) + 1);
    process.stdout.write(
      `${found++ === 0 ? '' : ','}\n${printableJson(
        {
          fields: objectOf(maskFields(callback.fields)),
          form: callback.form,
          verified: verifiedOf(explained),
          uppercasing: explained.verification.uppercasing,
          explanation: format(joined(explained.explanation, explained.nearMiss?.sentence ?? null)),
          causes: explained.nearMiss?.causes ?? [],
          meaning: format(
            msg('inspect.meaning', { title: explained.meaning.title, text: explained.meaning.text }),
          ),
          effect: explained.meaning.effect,
          problems: explained.problems.map(problem => format(problem.message)),
        },
        2,
      )}`,
    );
  }
  if (found === 0) problems.push(msg('inspection.nothing.file'));
  const commonest = [...forms].sort(([, one], [, other]) => other - one)[0]?.[0] ?? null;
  process.stdout.write(
    `],\n"form":${JSON.stringify(commonest)},\n"found":${found},\n"problems":${printableJson(problems.map(problem => maskCardNumbers(format(problem))))}}\n`,
  );
  process.exitCode = found > 0 ? 0 : 1;
}
