import { holdsCardNumber } from '../../../shared/card-number.ts';
import { fail, ok, type FieldProblem, type Result } from '../../../shared/errors.ts';
import type { SavedView } from '../../../shared/settings/saved-view.ts';

/** Validates saved views. Errors: `input.card-number`; `input.invalid` if two have the same name or id. */
export const checkViews = (views: readonly SavedView[]): Result<undefined> => {
  const cards = views.flatMap(({ name, words }, at): FieldProblem[] =>
    [...(holdsCardNumber(name) ? ['name'] : []), ...(holdsCardNumber(words) ? ['words'] : [])].map(field => ({
      path: `views.${at}.${field}`,
      message: 'This looks like a card number.',
    })),
  );
  if (cards.length > 0)
    return fail('input.card-number', 'Card numbers cannot be saved in a view.', { fields: cards });
  const names = new Set(views.map(({ name }) => name.toLocaleLowerCase()));
  const ids = new Set(views.map(({ id }) => id));
  if (names.size === views.length && ids.size === views.length) return ok(undefined);
  return fail('input.invalid', 'The views were not saved because two of them have the same name.', {
    fields: [{ path: 'views', message: 'A view with this name already exists.' }],
  });
};
