import { createHash } from 'node:crypto';
import type { Policy } from '../../shared/administration/policy.ts';
import type { Settings } from '../../shared/settings/settings.ts';
import { isPinKnown, pinIn, pinText, unknownPin } from '../credentials/pin.ts';
import { sandboxProfileId, type SettingsStore, type StoredAgent } from '../settings/settings-store.ts';
import type { Stored } from '../settings/stored-settings.ts';
import type { LoadedPolicy } from './read-policy.ts';

/**
 * The settings as a policy leaves them. The settings file underneath stays as it is: without the policy, it applies
 * again.
 */

type Fields = Readonly<Record<string, unknown>>;

/** The fields of `settings` with those of `values`, two levels deep. */
const overlaySettings = (settings: Settings, values: Fields): Settings => {
  const fields: Fields = settings;
  const merged = Object.entries(values).map(([name, value]) => {
    const isGroup = name === 'receiver' || name === 'notifications';
    return [name, isGroup ? Object.assign({}, fields[name], value) : value];
  });
  return { ...settings, ...Object.fromEntries(merged) };
};

/** The fields of `settings` at these paths. */
const pick = (settings: Fields, paths: readonly string[]): Fields => {
  const picked: Record<string, unknown> = {};
  for (const path of paths) {
    const [name = '', field] = path.split('.');
    picked[name] =
      field === undefined
        ? settings[name]
        : Object.assign({}, picked[name], { [field]: (settings[name] as Fields)[field] });
  }
  return picked;
};

/** An id that is the same at every start: a person of the policy has an own entry only after setting a PIN. */
const idOfName = (name: string): string => {
  const hex = createHash('sha256').update(`person ${name.toLocaleLowerCase()}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

const isSame = (one: string, other: string): boolean => one.toLocaleLowerCase() === other.toLocaleLowerCase();

/**
 * The people of a policy. A role above agent needs a proof: the policy's first PIN, or the own one that replaced it. A
 * PIN that was set here before proves nothing.
 */
const overlayPeople = (agents: readonly StoredAgent[], people: NonNullable<Policy['people']>) =>
  people.map(({ name, role, firstPin = null }): StoredAgent => {
    const known = agents.find(one => isSame(one.name, name));
    const isFree = role === 'agent' && firstPin === null;
    const first = isFree ? null : firstPin === null ? unknownPin : pinIn(firstPin);
    const own = known && (isFree || (firstPin !== null && known.firstPin === firstPin)) ? known.pin : null;
    return {
      id: known?.id ?? idOfName(name),
      wrong: 0,
      waitMs: 0,
      ...known,
      pin: own ?? first,
      firstPin,
      name,
      role,
    };
  });

/** Whether a person of a policy still has its first PIN. */
export const hasFirstPin = ({ pin, firstPin }: StoredAgent): boolean =>
  pin !== null && pinText(pin) === firstPin;

/** How many people of a policy still have its first PIN, and how many cannot sign in for want of one. */
export const pinsOfPolicy = (
  agents: readonly StoredAgent[],
): { withFirstPin: number; withoutPin: number } => ({
  withFirstPin: agents.filter(hasFirstPin).length,
  withoutPin: agents.filter(one => !isPinKnown(one)).length,
});

/** PINs and their delays are the people's own; names, roles and first PINs are the policy's. */
const restorePeople = (before: readonly StoredAgent[], next: readonly StoredAgent[]): StoredAgent[] => {
  const isOwn = (one: StoredAgent): boolean => isPinKnown(one) && !hasFirstPin(one);
  return [
    ...before.map(old => {
      const one = next.find(({ id }) => id === old.id);
      if (!one) return old;
      const { pin, firstPin = null } = isOwn(one) ? one : old;
      return { ...old, pin, firstPin, wrong: one.wrong, waitMs: one.waitMs };
    }),
    ...next
      .filter(
        one => ((one.pin !== null && isOwn(one)) || one.wrong > 0) && !before.some(({ id }) => id === one.id),
      )
      // Without the policy they have the least rights.
      .map((one): StoredAgent => ({ ...one, pin: isOwn(one) ? one.pin : null, role: 'agent' })),
  ];
};

const agentInList = (agent: string, agents: readonly StoredAgent[]): string => {
  const known = agents.find(({ name }) => isSame(name, agent));
  // Not the administrator: no person may get more rights than before.
  const other = agents.find(({ role }) => role === 'agent') ?? agents.at(-1);
  return known?.name ?? other?.name ?? agent;
};

const isHiddenBy = ({ policy }: LoadedPolicy, id: string): boolean =>
  policy?.otherProfiles === false && !policy.profiles?.some(one => one.id === id) && id !== sandboxProfileId;

/** Stored settings with the values of a policy. */
export const overlayPolicy = (stored: Stored, loaded: LoadedPolicy): Stored => {
  const { state, policy } = loaded;
  if (state.state === 'none') return stored;
  const isRestricted = state.state === 'restricted';
  const values: Fields = policy?.settings ?? (isRestricted ? { receiver: { enabled: false } } : {});
  const fixed = policy?.profiles ?? [];
  const own = stored.profiles.filter(
    ({ id }) => !fixed.some(one => one.id === id) && !isHiddenBy(loaded, id),
  );
  const isSandbox = ({ id }: { id: string }): boolean => id === sandboxProfileId;
  const profiles = [...own.filter(isSandbox), ...fixed, ...own.filter(one => !isSandbox(one))];
  const agents = policy?.people
    ? overlayPeople(stored.agents, policy.people)
    : // The roles of the policy are unknown: everyone gets the least rights.
      stored.agents.map((one): StoredAgent => (isRestricted ? { ...one, role: 'agent' } : one));
  const settings = overlaySettings(stored.settings, values);
  const { activeProfileId } = settings;
  const isActiveKnown =
    activeProfileId === sandboxProfileId || profiles.some(one => one.id === activeProfileId);
  return {
    ...stored,
    profiles,
    agents,
    settings: {
      ...settings,
      agent: agentInList(settings.agent, agents),
      activeProfileId: isActiveKnown ? activeProfileId : (fixed[0]?.id ?? sandboxProfileId),
    },
  };
};

/** `store` with the values of a policy: they win over the settings, and no change reaches them. */
export const withPolicy = (store: SettingsStore, loaded: LoadedPolicy): SettingsStore => {
  const { state, policy } = loaded;
  if (state.state === 'none') return store;
  const { managed } = state;
  const overlay = (stored: Stored): Stored => overlayPolicy(stored, loaded);
  const isFixed = (id: string): boolean => policy?.profiles?.some(one => one.id === id) ?? false;
  const isHidden = (id: string): boolean => isHiddenBy(loaded, id);

  /** `next` with everything managed as it is in the file. `shown`: what was shown for `before`. */
  const restore = (next: Stored, before: Stored, shown: Stored): Stored => {
    const settings = overlaySettings(next.settings, pick(before.settings, managed.settings));
    const isKept = (id: string): boolean =>
      isFixed(id) || isHidden(id) || (managed.allProfiles && id !== sandboxProfileId);
    const remaining = before.profiles.flatMap(old =>
      isKept(old.id) ? [old] : next.profiles.filter(({ id }) => id === old.id),
    );
    const added = next.profiles.filter(
      ({ id }) => !isKept(id) && !before.profiles.some(old => old.id === id),
    );
    return {
      ...next,
      profiles: [...remaining, ...added],
      agents: managed.people ? restorePeople(before.agents, next.agents) : next.agents,
      settings: {
        ...settings,
        agent: next.settings.agent === shown.settings.agent ? before.settings.agent : next.settings.agent,
        activeProfileId:
          next.settings.activeProfileId === shown.settings.activeProfileId
            ? before.settings.activeProfileId
            : next.settings.activeProfileId,
      },
    };
  };

  let under = store.read();
  let shown = overlay(under);
  const read = (): Stored => {
    if (store.read() !== under) {
      under = store.read();
      shown = overlay(under);
    }
    return shown;
  };
  return {
    ...store,
    policy: state,
    read,
    change: changes => {
      const before = read();
      store.change(stored => restore(changes(before), stored, before));
      return read();
    },
    profile: id => read().profiles.find(one => one.id === id) ?? null,
  };
};
