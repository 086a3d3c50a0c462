// What the sample data is made of: real countries, common names, made-up companies and goods.

export type CountryRow = [
  code: string,
  name: string,
  capital: string,
  continent: string,
  thousands: number,
  squareKilometres: number,
  currency: string,
  callingCode: string,
  isLandlocked: boolean,
  capitalLatitude: number,
  capitalLongitude: number,
];

/** Populations are rounded. */
export const countries: CountryRow[] = [
  ['AR', 'Argentina', 'Buenos Aires', 'South America', 46654, 2780400, 'ARS', '+54', false, -34.6, -58.4],
  ['AT', 'Austria', 'Vienna', 'Europe', 9132, 83879, 'EUR', '+43', true, 48.2, 16.4],
  ['AU', 'Australia', 'Canberra', 'Oceania', 26638, 7741220, 'AUD', '+61', false, -35.3, 149.1],
  ['BD', 'Bangladesh', 'Dhaka', 'Asia', 172954, 147570, 'BDT', '+880', false, 23.8, 90.4],
  ['BE', 'Belgium', 'Brussels', 'Europe', 11822, 30528, 'EUR', '+32', false, 50.8, 4.4],
  ['BO', 'Bolivia', 'Sucre', 'South America', 12388, 1098581, 'BOB', '+591', true, -19, -65.3],
  ['BR', 'Brazil', 'Brasília', 'South America', 216422, 8515767, 'BRL', '+55', false, -15.8, -47.9],
  ['BW', 'Botswana', 'Gaborone', 'Africa', 2675, 581730, 'BWP', '+267', true, -24.7, 25.9],
  ['CA', 'Canada', 'Ottawa', 'North America', 40097, 9984670, 'CAD', '+1', false, 45.4, -75.7],
  ['CH', 'Switzerland', 'Bern', 'Europe', 8849, 41285, 'CHF', '+41', true, 46.9, 7.4],
  ['CI', 'Côte d’Ivoire', 'Yamoussoukro', 'Africa', 28873, 322463, 'XOF', '+225', false, 6.8, -5.3],
  ['CL', 'Chile', 'Santiago', 'South America', 19629, 756102, 'CLP', '+56', false, -33.4, -70.7],
  ['CN', 'China', 'Beijing', 'Asia', 1410710, 9596961, 'CNY', '+86', false, 39.9, 116.4],
  ['CO', 'Colombia', 'Bogotá', 'South America', 52085, 1141748, 'COP', '+57', false, 4.7, -74.1],
  ['CR', 'Costa Rica', 'San José', 'North America', 5212, 51100, 'CRC', '+506', false, 9.9, -84.1],
  ['CZ', 'Czechia', 'Prague', 'Europe', 10873, 78871, 'CZK', '+420', true, 50.1, 14.4],
  ['DE', 'Germany', 'Berlin', 'Europe', 84482, 357592, 'EUR', '+49', false, 52.5, 13.4],
  ['DK', 'Denmark', 'Copenhagen', 'Europe', 5946, 42943, 'DKK', '+45', false, 55.7, 12.6],
  ['EC', 'Ecuador', 'Quito', 'South America', 18190, 283561, 'USD', '+593', false, -0.2, -78.5],
  ['EE', 'Estonia', 'Tallinn', 'Europe', 1366, 45339, 'EUR', '+372', false, 59.4, 24.8],
  ['EG', 'Egypt', 'Cairo', 'Africa', 112717, 1001450, 'EGP', '+20', false, 30, 31.2],
  ['ES', 'Spain', 'Madrid', 'Europe', 48373, 505990, 'EUR', '+34', false, 40.4, -3.7],
  ['ET', 'Ethiopia', 'Addis Ababa', 'Africa', 126527, 1104300, 'ETB', '+251', true, 9, 38.7],
  ['FI', 'Finland', 'Helsinki', 'Europe', 5584, 338455, 'EUR', '+358', false, 60.2, 24.9],
  ['FR', 'France', 'Paris', 'Europe', 68170, 551695, 'EUR', '+33', false, 48.9, 2.4],
  ['GB', 'United Kingdom', 'London', 'Europe', 68350, 243610, 'GBP', '+44', false, 51.5, -0.1],
  ['GH', 'Ghana', 'Accra', 'Africa', 34122, 238533, 'GHS', '+233', false, 5.6, -0.2],
  ['GR', 'Greece', 'Athens', 'Europe', 10361, 131957, 'EUR', '+30', false, 38, 23.7],
  ['HU', 'Hungary', 'Budapest', 'Europe', 9590, 93030, 'HUF', '+36', true, 47.5, 19],
  ['ID', 'Indonesia', 'Jakarta', 'Asia', 277534, 1904569, 'IDR', '+62', false, -6.2, 106.8],
  ['IE', 'Ireland', 'Dublin', 'Europe', 5263, 70273, 'EUR', '+353', false, 53.3, -6.3],
  ['IN', 'India', 'New Delhi', 'Asia', 1428628, 3287263, 'INR', '+91', false, 28.6, 77.2],
  ['IS', 'Iceland', 'Reykjavík', 'Europe', 394, 103000, 'ISK', '+354', false, 64.1, -21.9],
  ['IT', 'Italy', 'Rome', 'Europe', 58761, 301340, 'EUR', '+39', false, 41.9, 12.5],
  ['JP', 'Japan', 'Tokyo', 'Asia', 124517, 377975, 'JPY', '+81', false, 35.7, 139.7],
  ['KE', 'Kenya', 'Nairobi', 'Africa', 55101, 580367, 'KES', '+254', false, -1.3, 36.8],
  ['KR', 'South Korea', 'Seoul', 'Asia', 51713, 100210, 'KRW', '+82', false, 37.6, 127],
  ['KZ', 'Kazakhstan', 'Astana', 'Asia', 19901, 2724900, 'KZT', '+7', true, 51.1, 71.4],
  ['LU', 'Luxembourg', 'Luxembourg', 'Europe', 669, 2586, 'EUR', '+352', true, 49.6, 6.1],
  ['MA', 'Morocco', 'Rabat', 'Africa', 37840, 446550, 'MAD', '+212', false, 34, -6.8],
  ['MG', 'Madagascar', 'Antananarivo', 'Africa', 30326, 587041, 'MGA', '+261', false, -18.9, 47.5],
  ['MN', 'Mongolia', 'Ulaanbaatar', 'Asia', 3447, 1564116, 'MNT', '+976', true, 47.9, 106.9],
  ['MX', 'Mexico', 'Mexico City', 'North America', 128456, 1964375, 'MXN', '+52', false, 19.4, -99.1],
  ['NG', 'Nigeria', 'Abuja', 'Africa', 223805, 923768, 'NGN', '+234', false, 9.1, 7.5],
  ['NL', 'Netherlands', 'Amsterdam', 'Europe', 17879, 41543, 'EUR', '+31', false, 52.4, 4.9],
  ['NO', 'Norway', 'Oslo', 'Europe', 5520, 385207, 'NOK', '+47', false, 59.9, 10.7],
  ['NP', 'Nepal', 'Kathmandu', 'Asia', 30897, 147516, 'NPR', '+977', true, 27.7, 85.3],
  ['NZ', 'New Zealand', 'Wellington', 'Oceania', 5223, 270467, 'NZD', '+64', false, -41.3, 174.8],
  ['PE', 'Peru', 'Lima', 'South America', 34353, 1285216, 'PEN', '+51', false, -12, -77],
  ['PH', 'Philippines', 'Manila', 'Asia', 117337, 300000, 'PHP', '+63', false, 14.6, 121],
  ['PL', 'Poland', 'Warsaw', 'Europe', 36686, 312696, 'PLN', '+48', false, 52.2, 21],
  ['PT', 'Portugal', 'Lisbon', 'Europe', 10525, 92230, 'EUR', '+351', false, 38.7, -9.1],
  ['RO', 'Romania', 'Bucharest', 'Europe', 19056, 238398, 'RON', '+40', false, 44.4, 26.1],
  ['RW', 'Rwanda', 'Kigali', 'Africa', 14094, 26338, 'RWF', '+250', true, -1.9, 30.1],
  ['SE', 'Sweden', 'Stockholm', 'Europe', 10537, 450295, 'SEK', '+46', false, 59.3, 18.1],
  ['SN', 'Senegal', 'Dakar', 'Africa', 17763, 196722, 'XOF', '+221', false, 14.7, -17.5],
  ['TH', 'Thailand', 'Bangkok', 'Asia', 71801, 513120, 'THB', '+66', false, 13.8, 100.5],
  ['US', 'United States', 'Washington', 'North America', 334915, 9833517, 'USD', '+1', false, 38.9, -77],
  ['VN', 'Vietnam', 'Hanoi', 'Asia', 98859, 331212, 'VND', '+84', false, 21, 105.9],
  ['ZA', 'South Africa', 'Pretoria', 'Africa', 60414, 1221037, 'ZAR', '+27', false, -25.7, 28.2],
];

const words = (text: string): string[] => text.trim().split(/\s+/);

export const placeStarts =
  words(`Ash Bel Bright Car Clear Dal Eld Fair Fern Glen Gold Grey Hart Hazel High Iron Kings Lake
  Long Maple Mill Mont North Oak Port Quarry Raven Red River Rose Salt San Silver South Spring Stone Sunder Thorn Val
  West White Wild Winter Wood Yew`);
export const placeEnds = words(`bank bourne bridge brook burg bury castle cliff cross dale don ester field ford gate
  grove ham haven hurst land leigh mark mere minster mond mouth pool port ridge shore stad stead ton vale ville wick
  wood worth`);

export const firstNames = words(`Olivia Noah Emma Liam Amara Mateo Sofia Hiroshi Aisha Lucas Mei Ivan Fatima João Chloé
  Arjun Zoë Kwame Ingrid Diego Yuki Elif Björn Priya Omar Hanna Tomás Leila Anders Nia Santiago Clara Kenji Zainab Émile
  Freya Rafael Linh Sven Camila Dmitri Ana Thabo Maja Ravi Isla Pedro Keiko Jonas Adaeze Louis Siobhán Marek Valentina
  Abdul Greta Felipe Sakura Łukasz Rosa Kofi Astrid Enzo Meera Viktor Lucía Tariq Ella Bruno Nora Min-jun Alice Paulo
  Zofia Imran Ruth Carlos Ayla Henrik Grace José Eva Samuel Thuy Oscar Marta Jamal Signe Hugo Ines Kai Ludmila Juan
  Miriam Axel Selma Rohan Beatriz Emil Wanjiru Leo Alma Andrés Lena Musa Vera Filip Noor Theo Elena`);
export const lastNames = words(`Smith García Müller Rossi Kowalski Nguyen Silva Tanaka Okafor Patel Andersson Dubois Kim
  Novák O’Brien Haddad Mensah Fernández Schmidt Ivanova Yamamoto Jansen Costa Ali Larsen Moreau Hernández Weber Sato Diallo
  Popescu Murphy Chen Virtanen Santos Kaya Bianchi Horváth Wang Nielsen Lefebvre Torres Fischer Suzuki Adeyemi Sharma
  Eriksson Martin López Wagner Park Dvořák Fitzgerald Rahman Traoré Gómez Becker Hansen Pereira Hussain Ferrari Nagy Li
  Johansen Girard Ramírez Hoffmann Watanabe Mwangi Singh Lindberg Petit Castillo Schulz Choi Svoboda Byrne Farouk Owusu
  Vargas Keller Olsen Almeida Demir Ricci Szabó Zhang Korhonen Fontaine Rojas Braun Itō Abebe Gupta Nilsson Roux`);

export const companyStarts = words(`Aurora Beacon Cedar Delta Echo Ember Falcon Granite Harbor Indigo Juniper Keystone
  Lumen Meridian Nimbus Orchard Pioneer Quartz Ridgeline Sable Tidal Umbra Vertex Willow Zephyr Atlas Borealis Cobalt
  Drift Evergreen Foundry Glacier Horizon Ivory Kestrel Lantern Mosaic Northstar Onyx Polaris`);
export const companyEnds = words(`Works Labs Foods Freight Energy Systems Textiles Media Optics Robotics Health Motors
  Brewing Analytics Ceramics Instruments Outfitters Press Shipping Studios`);
export const companyForms = ['Ltd', 'Inc.', 'GmbH', 'S.A.', 'AB', '& Sons', 'Co.', 'Group'] as const;
export const industries = words(
  `Manufacturing Retail Logistics Software Healthcare Energy Food Media Finance Education`,
);

export const jobTitles = [
  'Accountant',
  'Account Manager',
  'Analyst',
  'Architect',
  'Buyer',
  'Chef',
  'Customer Advisor',
  'Designer',
  'Electrician',
  'Engineer',
  'HR Partner',
  'Mechanic',
  'Nurse',
  'Operations Lead',
  'Product Manager',
  'Sales Representative',
  'Teacher',
  'Technician',
  'Warehouse Lead',
  'Writer',
] as const;

export const goods = [
  ['Desk lamp', 34.9],
  ['Notebook, dotted', 8.5],
  ['Espresso cups (set of 4)', 27],
  ['Wool blanket', 89],
  ['Travel backpack', 119.95],
  ['Ceramic vase', 45.5],
  ['Bluetooth speaker', 64.99],
  ['Garden shears', 22.75],
  ['Olive oil 1 l', 14.2],
  ['Standing desk', 489],
  ['Running shoes', 109.9],
  ['Rain jacket', 139],
  ['Chess set', 39.95],
  ['Cast-iron pan', 59.5],
  ['Bicycle helmet', 74.9],
  ['Pencils (box of 12)', 6.4],
  ['Wall clock', 31],
  ['Tent, 2 persons', 219],
  ['Headphones', 149],
  ['Reading glasses', 19.9],
  ['Kettle 1.7 l', 42.3],
  ['Photo frame', 12.8],
  ['Yoga mat', 29.9],
  ['Toolbox', 67.25],
] as const;

export const notes = [
  'Prefers to be called in the afternoon.',
  'Asked for an invoice by post;\nsecond address on file.',
  'Says "no sugar", means it.',
  'Long-standing customer, handle with care & patience.',
  'Moved recently — check the address before shipping.',
  'Speaks English, Français und etwas Deutsch.',
] as const;

export const orderNotes = [
  'Leave at the door.',
  'Gift: please wrap.',
  'Ring twice; the bell is broken.',
  'Deliver before noon, if possible.',
] as const;
