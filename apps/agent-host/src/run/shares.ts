// How much there may be at once, of turns or of streams: of one caller, and in all. By process.
import { TenantShares } from '#runtime';

export interface AtOnce {
  /** Of one user; where nobody is asked, of one address. */
  readonly userCount: number;
  readonly allCount: number;
}

export interface HostBounds {
  readonly turns: AtOnce;
  readonly streams: AtOnce;
}

export const defaultHostBounds: HostBounds = {
  turns: { userCount: 100, allCount: 1_000 },
  streams: { userCount: 100, allCount: 1_000 },
};

export class Shares {
  private readonly shares: TenantShares;

  constructor({ userCount, allCount }: AtOnce) {
    const bytes = { tenantBytes: Infinity, allBytes: Infinity };
    this.shares = new TenantShares({ ...bytes, tenantCount: userCount, allCount });
  }

  /** Undefined where the holder, or everybody together, has as many as there may be. */
  take(holder: string): Share | undefined {
    return this.shares.take(holder, 0) === 'taken' ? new Share(this.shares, holder) : undefined;
  }

  /** One more in any case: of what cannot be refused any more. */
  hold(holder: string): Share {
    this.shares.hold(holder, 0);
    return new Share(this.shares, holder);
  }
}

/** Whose share a user's turns are, by whatever road they come. */
export function holderOfUser(name: string): string {
  return `user ${name}`;
}

/** One turn's or stream's. */
export class Share {
  private state: 'held' | 'paused' | 'freed' = 'held';

  constructor(
    private readonly shares: TenantShares,
    private readonly holder: string,
  ) {}

  /** For good; again does no harm. */
  free(): void {
    this.pause();
    this.state = 'freed';
  }

  /** Gives it back for a while. */
  pause(): void {
    if (this.state !== 'held') return;
    this.state = 'paused';
    this.shares.free(this.holder, 0);
  }

  /** Takes it again after a pause, however much there is. */
  goOn(): void {
    if (this.state !== 'paused') return;
    this.state = 'held';
    this.shares.hold(this.holder, 0);
  }
}
