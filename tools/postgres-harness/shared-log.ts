import { inEnglish } from '../../shared/messages/catalogues.ts';
import type { Result } from '../../shared/errors.ts';
import {
  openAdministration,
  type Administration,
  type InstallationKind,
  type InstallationRight,
} from '../../main/payment-log/postgres/administer.ts';
import { openSharedLog, type SharedLog } from '../../main/payment-log/postgres/open-shared-log.ts';
import {
  sharedLogSettingsSchema,
  type SharedLogSettings,
} from '../../main/payment-log/postgres/connection-settings.ts';
import type { Cluster } from './cluster.ts';

/** The value of a result; throws its message. */
export const must = <T>(result: Result<T>): T => {
  if (result.ok) return result.value;
  const { code, message, details } = result.error;
  throw new Error(`${code}: ${inEnglish(message)} ${JSON.stringify(details ?? {})}`);
};

/** A shared log in a separate database. */
export type Team = {
  database: string;
  schema: string;
  /** Adds an installation and returns its settings; `port`: of a proxy. */
  add(
    kind: InstallationKind,
    label: string,
    port?: number,
    rights?: readonly InstallationRight[],
  ): Promise<SharedLogSettings>;
  /** Runs `work` with an administrator's connection. */
  administer<T>(work: (administration: Administration) => Promise<T>): Promise<T>;
  revoke(role: string): Promise<void>;
  open(settings: SharedLogSettings): SharedLog;
  /** Runs statements as the administrator, who may do anything; returns the rows of the last one. */
  sql<Row>(text: string): Promise<Row[]>;
  /** Closes what `open` returned. */
  close(): Promise<void>;
};

let databases = 0;

/** Creates an empty shared log in a new database of the cluster; its schema has a number too, as roles are global. */
export const createTeam = async (cluster: Cluster): Promise<Team> => {
  databases += 1;
  const database = `team_${databases}`;
  const schema = `cf_${databases}`;
  await cluster.sql(`CREATE DATABASE ${database}`);
  const administrator = sharedLogSettingsSchema.parse({
    host: cluster.folder,
    port: cluster.port,
    database,
    schema,
    role: cluster.superuser,
  });
  const withAdministration = async <T>(
    work: (administration: Administration) => Promise<T>,
    toRevoke: string | null = null,
  ): Promise<T> => {
    const opened = must(await openAdministration(administrator, toRevoke));
    try {
      return await work(opened);
    } finally {
      await opened.close();
    }
  };
  await withAdministration(async opened => must(await opened.create()));
  const logs: SharedLog[] = [];
  return {
    database,
    schema,
    administer: withAdministration,
    add: async (kind, label, port = cluster.port, rights = []) => {
      const { role, password } = await withAdministration(async opened =>
        must(await opened.add(kind, label, rights)),
      );
      return sharedLogSettingsSchema.parse({ host: cluster.host, port, database, schema, role, password });
    },
    revoke: role => withAdministration(async opened => must(await opened.revoke(role)), role),
    open: settings => {
      const log = must(openSharedLog(settings));
      logs.push(log);
      return log;
    },
    sql: <Row>(text: string) => cluster.sql<Row>(`SET search_path = ${schema}; ${text}`, database),
    close: async () => {
      for (const log of logs.splice(0)) await log.close();
    },
  };
};
