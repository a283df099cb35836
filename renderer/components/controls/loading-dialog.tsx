import { useText } from '../../i18n/text.ts';

/** In place of a dialog while its code is loaded, so that keys that are pressed meanwhile do not act on the screen. */
export const LoadingDialog = () => {
  const t = useText();
  // A dialog element would be drawn.
  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
  return <div role="dialog" aria-busy="true" aria-label={t('loading')} />;
};
