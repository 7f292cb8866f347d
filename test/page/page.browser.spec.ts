// The page in a real browser, on the real read side: what a person sees, live, and what a key may show.
import { type Browser, chromium, type Page } from 'playwright-core';
import { type ReadApp, startReadApp } from '#testing';
import { FactsModule } from '../../apps/facts/src/facts.module.ts';
import { QueryModule } from '../../apps/query/src/query.module.ts';
import { WebModule } from '../../apps/web/src/web.module.ts';
import { bookingStory, markup } from './booking-story.ts';

const screenshots = process.env['DUEWATCH_SCREENSHOTS'];

/** In the browser: words that no reader is meant to see, and panels that something in them sticks out of. */
const findFlaws = `[
  ...(document.body.innerText.match(/.*\\b(null|undefined|NaN|Invalid Date)\\b.*|.*\\[object .*/g) ?? []),
  ...[document.documentElement, ...document.querySelectorAll('.list, .subject, .key-form')]
    .filter((panel) => panel.scrollWidth > panel.clientWidth)
    .map((panel) => 'cut off: ' + (panel.id || panel.tagName)),
]`;

describe('the page', () => {
  let app: ReadApp;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    app = await startReadApp([FactsModule, QueryModule, WebModule]);
    browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser.close();
    await app.close();
  });
  beforeEach(async () => {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      locale: 'en-GB',
      timezoneId: 'Asia/Dubai',
    });
    page = await context.newPage();
    complaints.length = 0;
    page.on('console', (message) => (message.type() === 'error' ? complaints.push(message.text()) : undefined));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) =>
      request.url().startsWith(app.edge.url) ? undefined : complaints.push(`asked ${request.url()}`),
    );
  });
  afterEach(async () => {
    const flaws: unknown = await page.evaluate(findFlaws);
    await page.context().close();
    expect(flaws).toEqual([]);
  });

  const shoot = async (name: string) => {
    if (screenshots !== undefined) await page.screenshot({ path: `${screenshots}/${name}.png` });
  };
  const openPage = async (fragment = '', key = app.key) => {
    await page.goto(`${app.edge.url}/#key=${key}${fragment}`);
    await page.locator('.list table, .list .empty').first().waitFor();
  };

  it('says what to do next where nothing is recorded', async () => {
    await openPage();
    await page.getByText('Nothing is open.').waitFor();
    await page.getByText('Register an agent').waitFor();
    await shoot('empty');
    expect(complaints).toEqual([]);
  });

  it('takes the key out of the address, and keeps it for the tab', async () => {
    await openPage();
    expect(page.url()).not.toContain(app.key);
    await page.reload();
    await page.getByText('Nothing is open.').waitFor();
  });

  it('asks for a key where it has none, and again where it is not taken', async () => {
    await page.goto(app.edge.url);
    await page.getByLabel('API key').fill('dw_wrong_key_000000');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('This key was not taken').waitFor();
    await page.getByLabel('API key').fill(app.key);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('Nothing is open.').waitFor();
  });

  describe('of a day of bookings', () => {
    beforeAll(() => app.tell('acme', ...bookingStory()));

    it('shows what is open, soonest due first, with the basis', async () => {
      await openPage();
      await page.getByText('the airline manifest for PA-2026-0901').waitFor();
      const due = await page
        .locator('tbody time')
        .evaluateAll((times) => times.map((time) => time.getAttribute('datetime') ?? ''));
      expect(due.length).toBeGreaterThan(5);
      expect(due).toEqual([...due].sort((one, other) => Date.parse(one) - Date.parse(other)));
      expect(await page.locator('tbody tr').first().getByText('observed').count()).toBe(1);
      await page.locator('#count-open', { hasText: String(due.length) }).waitFor();
      await shoot('open');
      expect(complaints).toEqual([]);
    });

    it('shows times in the reader’s own time, and UTC on hover', async () => {
      await openPage();
      const time = page.locator('tbody time').first();
      const instant = (await time.getAttribute('datetime')) ?? '';
      const local = new Intl.DateTimeFormat('en-GB', {
        hour: '2-digit',
        minute: '2-digit',
        timeZone: 'Asia/Dubai',
      }).format(new Date(instant));
      expect(await time.textContent()).toContain(local);
      expect(await time.getAttribute('title')).toContain('UTC');
    });

    it('shows what lapsed, where its task stands, and on what its time rests', async () => {
      await openPage('&list=lapsed');
      const row = page.locator('tbody tr').filter({ hasText: 'manifest for PA-2026-0901' }).first();
      await row.waitFor();
      expect(await row.textContent()).toMatch(/skipped.*observed.*with the agent/);
      await shoot('lapsed');
    });

    it('shows what was refused, and what can never lapse, each with the reason', async () => {
      await openPage('&list=refused');
      await page.getByText('kind: the card does not declare it').waitFor();
      await page.getByRole('tab', { name: 'Cannot lapse' }).click();
      await page.getByText('It has no horizon').waitFor();
      await shoot('cannot-lapse');
    });

    it('shows what is quarantined, and lets whoever may release or discard it', async () => {
      const facts = ['past', 'future'].map((name) => ({
        factKey: `flight.departed:${name}`,
        observedAt: name === 'past' ? '1970-01-21T16:58:14Z' : '2099-01-01T00:00:00Z',
      }));
      await app.edge.call('POST', '/v1/facts', { key: await app.edge.key({ name: 'feed' }), json: facts });
      await openPage('&list=quarantined');
      await page.getByText('seconds may have been taken').waitFor();
      expect(await page.getByRole('button', { name: 'Release' }).count()).toBe(0);
      await openPage('&list=quarantined', await app.edge.key({ scopes: ['read', 'operate'], name: 'olga' }));
      await page.reload();
      const row = (name: string) => page.locator('tbody tr').filter({ hasText: name });
      await row('past').getByRole('button', { name: 'Release' }).waitFor();
      await shoot('quarantined');
      page.once('dialog', (dialog) => void dialog.accept('not of this world'));
      await row('future').getByRole('button', { name: 'Discard' }).click();
      await row('future').waitFor({ state: 'detached' });
      await row('past').getByRole('button', { name: 'Release' }).click();
      await page.getByText('Nothing is quarantined.').waitFor();
      await page.locator('#count-quarantined', { hasText: '0' }).waitFor();
      expect(complaints).toEqual([]);
    });

    it('draws three tracks of a subject, with a hole where a step was passed over', async () => {
      await openPage();
      await page.getByRole('link', { name: 'shipment PA-2026-0901' }).first().click();
      await page.locator('svg.timeline').waitFor();
      expect(await page.locator('.point.projected').count()).toBe(4);
      expect(await page.locator('.point.hole.skipped').count()).toBe(1);
      expect(await page.locator('.point.actual').count()).toBe(2);
      expect(await page.locator('.point.current.uncertain').count()).toBe(1);
      expect(await page.locator('.steps').textContent()).toContain('skipped');
      await shoot('subject');
      await page.goBack();
      await page.getByText('Select a subject').waitFor();
      expect(complaints).toEqual([]);
    });

    it('is at home in the dark and on a narrow screen', async () => {
      await page.emulateMedia({ colorScheme: 'dark' });
      await openPage('&type=shipment&id=PA-2026-0901');
      await page.locator('svg.timeline').waitFor();
      await shoot('dark');
      await page.setViewportSize({ width: 390, height: 844 });
      await shoot('narrow');
    });

    it.each([
      ['PA-2026-0901', 1300],
      ['PA-2026-0901', 400],
      ['PA-2026-0903', 1300],
      ['PA-2026-0903', 400],
    ])('shows all of %s where times are long, %i wide, with facts and without', async (subject, width) => {
      await page.context().close();
      page = await (await browser.newContext({ locale: 'en-US', viewport: { width, height: 900 } })).newPage();
      await openPage(`&type=shipment&id=${subject}`);
      await page.locator('svg.timeline').waitFor();
      expect(await page.locator('.steps').textContent()).toMatch(/\d [AP]M/);
    });

    it('leaves what a reader has opened as it is while other things happen', async () => {
      await openPage('&type=shipment&id=PA-2026-0901');
      await page.locator('.status.live').waitFor();
      await page.getByText('reported on it').click();
      await app.tell('acme', ...bookingStory.laterFact());
      await page.locator('.facts').getByText('shipment.weighed:PA-2026-0901').waitFor({ state: 'visible' });
    });

    it('is worked by the keyboard', async () => {
      await openPage();
      await page.locator('#tab-open').focus();
      await page.keyboard.press('ArrowRight');
      await page.getByRole('heading', { name: 'All that lapsed' }).waitFor();
      await page.locator('tbody tr').first().waitFor();
      expect(await page.getByRole('tab', { name: 'Lapsed' }).getAttribute('aria-selected')).toBe('true');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.locator('svg.timeline').waitFor();
    });

    it('shows whatever ids hold as text', async () => {
      await openPage();
      await page.getByText(markup).first().waitFor();
      expect(await page.locator('tbody img').count()).toBe(0);
    });

    it('finds', async () => {
      await openPage();
      await page.getByLabel('Search this list').fill('airline MANIFEST');
      await page.locator('tbody tr').nth(1).waitFor({ state: 'detached' });
      expect(await page.locator('tbody tr').count()).toBe(1);
    });

    it('shows a lapse as it is decided, and says it', async () => {
      await openPage('&list=lapsed');
      await page.locator('.status.live').waitFor();
      const before = await page.locator('tbody tr').count();
      await app.tell('acme', ...bookingStory.laterLapse());
      await page.locator('tbody tr').nth(before).waitFor();
      expect(await page.locator('tbody tr.new').count()).toBe(1);
      expect(await page.locator('[aria-live]').textContent()).toContain('overdue: customs release for PA-2026-0902');
    });
  });
});
