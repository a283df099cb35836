/** Connections of one installation: one that writes, one that follows, one that a lost network leaves behind. */
const perInstallation = 3;
/** For backup, monitoring and administrators. */
const reserved = 20;

/** How many connections the server must permit for a number of installations. */
export const connectionsNeeded = (installations: number): number =>
  perInstallation * installations + reserved;

/** For how many installations a number of connections is enough. */
export const installationsFor = (connections: number): number =>
  Math.max(0, Math.floor((connections - reserved) / perInstallation));
