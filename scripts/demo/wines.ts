import { USUAL_GLASSES_A_BOTTLE, type WineState } from '../../src/domain/wine/wine.ts';
import { readWineRows, type WineOfFile } from '../../src/domain/wine/wine-file.ts';
import type { Services } from '../../src/server/context.ts';
import { sql } from '../../src/server/db/orm.ts';
import { OPENED_DAYS_AGO } from './member-story.ts';

// The producers are invented; the wines are typical of their places. The first nine are open tonight.
const LIST = `Name | Producer | Region | Country | Grape | Vintage | Color | Sweetness | Body | Tannin | Acidity
Barolo Bricco Alto | Cascina Merlò | Langhe | Italy | Nebbiolo | 2018 | red | 1 | 5 | 5 | 4
Blaufränkisch Ried Hochäcker | Weingut Thaler | Mittelburgenland | Austria | Blaufränkisch | 2020 | red | 1 | 4 | 3 | 4
Riesling Kabinett Treppchen | Weingut Aldenhoff | Mosel | Germany | Riesling | 2022 | white | 3 | 1 | 1 | 5
Sancerre Les Chailloux | Domaine Vernay-Roux | Loire | France | Sauvignon Blanc | 2023 | white | 1 | 2 | 1 | 5
Brut Nature | Cava Puigferrer | Penedès | Spain | Xarel·lo, Macabeo | | sparkling | 1 | 2 | 1 | 5
Rosé de Bandol | Mas des Cigales | Provence | France | Mourvèdre | 2023 | rose | 1 | 3 | 2 | 3
Chardonnay Old Vines | Harrow Lane | Sonoma Coast | United States | Chardonnay | 2021 | white | 1 | 4 | 1 | 3
Rkatsiteli Qvevri | Marani Lomidze | Kakheti | Georgia | Rkatsiteli | 2021 | orange | 1 | 3 | 4 | 3
Pinot Noir Clay Bank | Tussock Hill | Central Otago | New Zealand | Pinot Noir | 2022 | red | 1 | 2 | 2 | 4
Grüner Veltliner Federspiel | Weingut Lachner | Wachau | Austria | Grüner Veltliner | 2023 | white | 1 | 2 | 1 | 4
Rioja Reserva | Bodegas Albarrán | Rioja Alta | Spain | Tempranillo | 2017 | red | 1 | 4 | 3 | 3
Crozes-Hermitage | Domaine Fayolat | Rhône | France | Syrah | 2021 | red | 1 | 4 | 4 | 3
Beaujolais-Villages | Domaine Pérouse | Beaujolais | France | Gamay | 2022 | red | 1 | 2 | 1 | 4
Tawny 10 Years | Quinta do Sobral | Douro | Portugal | Touriga Nacional | | fortified | 5 | 4 | 2 | 3
Fino en Rama | Bodega Marisma | Jerez | Spain | Palomino | | fortified | 1 | 2 | 1 | 3
Champagne Blanc de Blancs | Maison Tissier | Côte des Blancs | France | Chardonnay | | sparkling | 1 | 3 | 1 | 5
Malbec Altura | Finca Cóndor | Uco Valley | Argentina | Malbec | 2021 | red | 1 | 5 | 4 | 3
Chenin Blanc Bush Vine | Rooiklip | Swartland | South Africa | Chenin Blanc | 2022 | white | 1 | 3 | 1 | 4
Etna Rosso | Contrada Fumo | Sicily | Italy | Nerello Mascalese | 2020 | red | 1 | 3 | 4 | 4
Assyrtiko | Ktima Vourvoulis | Santorini | Greece | Assyrtiko | 2023 | white | 1 | 3 | 1 | 5
Moscato d’Asti | Cascina Merlò | Piedmont | Italy | Moscato | 2023 | sparkling | 4 | 1 | 1 | 3
Cabernet Sauvignon Reserve | Harrow Lane | Napa Valley | United States | Cabernet Sauvignon | 2019 | red | 1 | 5 | 5 | 3
Tokaji Late Harvest | Szarvas Pince | Tokaj | Hungary | Furmint | 2020 | white | 5 | 4 | 1 | 5
Rosato Salento | Masseria Lenti | Apulia | Italy | Negroamaro | 2023 | rose | 1 | 2 | 1 | 3`;
const NOTES = [
  'Rose petals, tar and dried cherry. Give it ten minutes in the glass.',
  'Blackberry and white pepper.',
  'Slate, lime and a touch of honey.',
  'Flint, grapefruit and cut grass.',
  'Bone dry, with almond and green apple.',
  'Blood orange and wild thyme.',
  'Baked pear, hazelnut and a little oak.',
  'Six months on the skins: apricot, tea and walnut.',
  'Red cherry, clove and forest floor.',
];

/** The wines of the list, read like a file that staff import. */
function readList(): WineOfFile[] {
  const [columns = [], ...rows] = LIST.split('\n').map((line) => line.split('|'));
  return readWineRows(columns, rows, [], 'usd').map(({ wine, name, problems }, place) => {
    if (!wine) throw new Error(`${name}: ${problems.join(' ')}`);
    return { ...wine, notes: NOTES[place] ?? '' };
  });
}

const WINES = readList();

/** Hours since each open bottle was opened: one too long ago, the sparkling one only just. */
const OPEN_HOURS = [26, 5, 3, 2, 1, 22, 4, 98, 7];
const COMING = 3;
const HOUR_MS = 3_600_000;

export const WINE_WEIGHTS: readonly number[] = WINES.map((_, at) => (at < OPEN_HOURS.length ? 12 - at : 3));

function stateOf(place: number): WineState {
  if (place < OPEN_HOURS.length) return 'open';
  return place < OPEN_HOURS.length + COMING ? 'coming' : 'gone';
}

/** Returns the ids of the wines in the list's order. */
export async function writeWines({
  db,
  now,
  newId,
}: Pick<Services, 'db' | 'now' | 'newId'>): Promise<string[]> {
  const at = now();
  const wines = WINES.map((wine, place) => {
    // One after another, when the club opened.
    const listedAt = new Date(at.getTime() - OPENED_DAYS_AGO * 24 * HOUR_MS + place * 180_000);
    return {
      ...wine,
      id: newId(),
      cost_cents: 900 + 130 * ((place * 7) % 19),
      state: stateOf(place),
      position: place + 1,
      created_at: listedAt,
      updated_at: listedAt,
    };
  });
  const bottles = OPEN_HOURS.map((hours, place) => ({
    id: newId(),
    wine_id: wines[place]?.id,
    glasses: USUAL_GLASSES_A_BOTTLE,
    opened_at: new Date(at.getTime() - hours * HOUR_MS),
  }));
  await db.transaction(async (tx) => {
    await tx.execute(
      sql`insert into wine select * from jsonb_populate_recordset(null::wine, ${JSON.stringify(wines)}::jsonb)`,
    );
    await tx.execute(
      sql`insert into bottle select * from jsonb_populate_recordset(null::bottle, ${JSON.stringify(bottles)}::jsonb)`,
    );
  });
  return wines.map(({ id }) => id);
}
