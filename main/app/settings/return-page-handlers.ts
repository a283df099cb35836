import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Handlers } from '../../../shared/contract/contract.ts';
import { ok } from '../../../shared/errors.ts';
import { writeFileAtomic } from '../../files/replace-file.ts';
import { unwritableFile } from '../../files/unwritable-file.ts';
import { returnPage, returnPageKinds } from '../../return-pages/return-page.ts';
import type { AppDependencies } from '../common/app-context.ts';
import { chooseSaveFile } from '../common/choose-save-file.ts';

/** The request that saves the pages for customers of a merchant without a shop. */
export const createReturnPageHandlers = (
  parts: AppDependencies,
): Pick<Handlers, 'profiles.saveReturnPages'> => {
  const [first, second] = returnPageKinds;
  return {
    'profiles.saveReturnPages': async ({ merchant }) => {
      const beside = (file: string): string => join(dirname(file), `${second}.html`);
      const chosen = await chooseSaveFile(parts, `${first}.html`, file => [beside(file)]);
      if (!chosen.ok) return chosen;
      if (chosen.value === null) return ok({ files: [] });
      let other = beside(chosen.value);
      // The system's dialog asks only about the file that is chosen in it.
      if (existsSync(other) || other === chosen.value) {
        const asked = await chooseSaveFile(parts, other);
        if (!asked.ok) return asked;
        if (asked.value === null || asked.value === chosen.value) return ok({ files: [] });
        other = asked.value;
      }
      const name = merchant.trim() === '' ? null : merchant.trim();
      try {
        await writeFileAtomic(chosen.value, returnPage(first, name));
        await writeFileAtomic(other, returnPage(second, name));
      } catch (thrown) {
        return unwritableFile(thrown instanceof Error && 'code' in thrown ? thrown.code : null);
      }
      return ok({ files: [basename(chosen.value), basename(other)] });
    },
  };
};
