import { Failed } from '#domain/failure.ts'

/** Parts that are loaded when they are first needed come from where the app came from, which may be out of reach by then. */
export async function loaded<T>(part: Promise<T>): Promise<T> {
  try {
    return await part
  } catch (error) {
    if (error instanceof Failed) throw error
    throw new Failed(
      'no-network',
      'The part of this app that talks to the model could not be loaded. Check that this device is online and that the companion runs, then try again.',
    )
  }
}
