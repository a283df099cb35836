import { agree, type AgreementRow } from '../../main/statements/agree.ts';
import { paymentsOfCallbacks } from '../../main/statements/callbacks-of-file.ts';
import { movementsOf } from '../../main/statements/movements.ts';
import { openStatement } from '../../main/statements/files/open-file.ts';
import { refusalOf } from '../../main/statements/files/statement-refusal.ts';
import { readStatement, recognise } from '../../main/statements/read-statement.ts';
import { dayAt } from '../../shared/days.ts';
import { joined, msg } from '../../shared/messages/message.ts';
import { printable, printableJson } from '../../shared/messages/printable.ts';
import { startCommand } from '../commands/command.ts';
import { mappingSchema, type Mapping } from '../../shared/statements/mapping.schema.ts';

/**
 * `agree STATEMENT --callbacks FILE --password-file FILE [--zone ZONE] [--mapping FILE] [--language en|de]`: compares a
 * provider's or a bank's statement with signed callbacks and prints JSON. Exit 0 if it was compared, 1 if the file can be
 * read in several ways, 2 for wrong usage or a file that is refused.
 */
const { format, stop, readArguments, readFile, passwordIn } = startCommand(
  msg('agree.usage', {
    syntax:
      'agree STATEMENT --callbacks FILE --password-file FILE [--zone ZONE] [--mapping FILE] [--language en|de]',
    shape:
      '{ agreed, onlyHere, onlyThere, different, notRead, other, payouts, totals: { gross, fees, net }, currencies, days, period, readAs, questions, callbacks }',
    mapping: '{ "columns": { "HEADING": "ROLE" }, "numbers": "point|comma|minor", "dates": "ymd|dmy|mdy" }',
  }),
);

const readMapping = (file: string): Mapping => {
  try {
    const read = mappingSchema.safeParse(JSON.parse(readFile(file).toString('utf8')));
    if (read.success) return read.data;
    const at = read.error.issues[0]?.path.join('.') ?? '';
    return stop(msg('agree.mapping-wrong', { file, at }));
  } catch {
    return stop(msg('agree.mapping-wrong', { file, at: 'JSON' }));
  }
};

/** An amount without its sign: the kind says in which direction. */
const size = (amount: string): string => amount.replace(/^-/, '');
const unsigned = <Row extends AgreementRow>(row: Row): Row => ({
  ...row,
  amount: row.amount === null ? null : size(row.amount),
});

const { values, positionals } = readArguments({
  callbacks: { type: 'string' },
  'password-file': { type: 'string' },
  zone: { type: 'string' },
  mapping: { type: 'string' },
});
const [statement, ...more] = positionals;
const { callbacks, zone = null } = values;
if (
  statement === undefined ||
  more.length > 0 ||
  callbacks === undefined ||
  values['password-file'] === undefined
)
  stop(msg('agree.files-missing'));
else {
  try {
    if (zone !== null) dayAt(0, zone);
  } catch {
    stop(msg('overview.unknown-zone'));
  }
  const password = passwordIn(readFile(values['password-file']));
  const mapping = values.mapping === undefined ? null : readMapping(values.mapping);
  const found = paymentsOfCallbacks(readFile(callbacks), [{ profileId: 'file', password, digest: 'md5' }]);
  const movements = found.rows.flatMap(row => movementsOf(row, at => dayAt(at, zone ?? 'UTC').toString()));
  try {
    const file = await openStatement(statement);
    const read = readStatement(await recognise(file, zone), movements, { mapping, zone });
    if (read.lines.lines.length + read.lines.notRead.length === 0) stop(msg('statement-file.nothing'));
    const { totals, ...compared } = agree(read.lines, movements);
    const [first = { gross: '0', fees: '0', net: '0' }] = totals;
    const rest = {
      agreed: compared.agreed.map(unsigned),
      onlyHere: compared.onlyHere.map(unsigned),
      onlyThere: compared.onlyThere.map(unsigned),
      different: compared.different.map(row => ({
        ...unsigned(row),
        ours: size(row.ours),
        theirs: size(row.theirs),
      })),
      totals: { gross: first.gross, fees: first.fees, net: first.net },
      currencies: totals,
      readAs: {
        format: read.format,
        lines: read.lines.lines.length,
        skipped: read.lines.skipped,
        columns: read.columns && { headings: read.columns.headings, roles: read.columns.roles },
        ...read.conventions,
      },
      questions: read.questions,
      callbacks: { found: found.callbacks, unverified: found.unverified, nameless: found.nameless },
    };
    // Row by row: as one text a list of 100,000 rows would need its memory several times.
    let before = '{';
    for (const [name, value] of Object.entries({ ...compared, ...rest })) {
      process.stdout.write(`${before}\n"${name}":`);
      before = ',';
      if (!Array.isArray(value)) process.stdout.write(printableJson(value));
      else {
        for (const [index, row] of value.entries())
          process.stdout.write(`${index === 0 ? '[' : ','}\n  ${printableJson(row)}`);
        process.stdout.write(value.length === 0 ? '[]' : '\n]');
      }
    }
    process.stdout.write('\n}\n');
    if (read.questions.length > 0) {
      process.exitCode = 1;
      process.stderr.write(`${printable(format(msg('agree.ask')))}\n`);
    }
  } catch (thrown) {
    const { error } = refusalOf(thrown);
    stop(joined(error.message, error.hint ?? null));
  }
}
