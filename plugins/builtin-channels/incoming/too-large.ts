import type { ChannelDriver, ReceivedFile } from 'pegboard';

const megabyte = 1024 * 1024;
const defaultMaxDownloadBytes = 20 * megabyte;

/** Why a file is not fetched, without a full stop. */
export const tooLargeFor = (
  { sizeBytes }: ReceivedFile,
  { driver }: { readonly driver: Pick<ChannelDriver, 'maxDownloadBytes'> },
): string | undefined => {
  const { maxDownloadBytes = defaultMaxDownloadBytes } = driver;
  return sizeBytes > maxDownloadBytes
    ? `a file larger than ${Math.floor(maxDownloadBytes / megabyte)} MB could not be fetched`
    : undefined;
};
