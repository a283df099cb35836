/** The channel file's name for a system, as the packer writes it. */
export const channelFileName = (platform: NodeJS.Platform, arch: string): string => {
  if (platform === 'darwin') return 'latest-mac.yml';
  if (platform === 'linux') return arch === 'x64' ? 'latest-linux.yml' : `latest-linux-${arch}.yml`;
  return 'latest.yml';
};
