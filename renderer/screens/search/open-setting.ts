import { hrefOf } from '../../routes.ts';
import { go } from '../../stores/route-store.ts';
import type { SettingEntry } from './setting-entries.ts';

/** How long a section may take to appear before its setting is not looked for any more, frames. */
const maxFrames = 60;

const labelWith = (text: string): HTMLElement | undefined =>
  [
    ...document.querySelectorAll<HTMLElement>(
      '.settings-body :is(label, legend, h2, h3, .react-aria-Label, span, button)',
    ),
  ].find(part => part.textContent.trim().startsWith(text));

/** Opens the groups that hide a part. */
const openGroups = (part: HTMLElement): void => {
  for (let group = part.parentElement; group !== null; group = group.parentElement) {
    if (group instanceof HTMLDetailsElement) group.open = true;
    if (group.matches('.advanced-group'))
      group.querySelector<HTMLElement>('.advanced-group-button[aria-expanded="false"]')?.click();
  }
};

/** Scrolls to a setting and gives its control the focus, once its section is drawn. */
const focusSetting = (text: string, frames = maxFrames): void => {
  const label = labelWith(text);
  if (!label?.checkVisibility()) {
    if (label !== undefined) openGroups(label);
    if (frames > 0) requestAnimationFrame(() => focusSetting(text, frames - 1));
    return;
  }
  const part = label.closest<HTMLElement>('.field') ?? label.closest<HTMLElement>('label, section') ?? label;
  const control = label.matches('h2, h3')
    ? null
    : part.querySelector<HTMLElement>('input:enabled, textarea:enabled, button:enabled');
  (control ?? part).scrollIntoView({ block: 'center' });
  control?.focus({ preventScroll: true });
};

/** Opens the section of a setting. `profileId`: whose form has the profile's settings. */
export const openSetting = (
  { section, isOfProfile = false }: SettingEntry,
  text: string,
  profileId: string | null,
): void => {
  const to = { screen: 'settings', section, id: isOfProfile ? profileId : null } as const;
  if (window.location.hash !== hrefOf(to)) go(to);
  // After the screen, which takes the focus when it is drawn.
  requestAnimationFrame(() => focusSetting(text));
};
