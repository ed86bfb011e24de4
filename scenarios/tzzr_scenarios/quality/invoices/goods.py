"""What Spanish firms bill: descriptions as they stand on invoices, with the figures that are part of them."""

from __future__ import annotations

from typing import Final

__all__ = ["SERVICES", "SHOP", "WARES"]

SERVICES: Final = (
    "Asesoría fiscal y contable, marzo", "Honorarios por redacción de demanda", "Proyecto de ejecución de vivienda unifamiliar",
    "Mantenimiento de la red informática", "Diseño de identidad corporativa", "Traducción jurada alemán-español",
    "Horas de programación", "Alquiler del local, mes de febrero", "Limpieza de oficinas", "Curso de prevención de riesgos",
    "Reportaje fotográfico de boda", "Revisión anual de ascensor", "Mano de obra oficial 1ª", "Desplazamiento y dietas",
    "Auditoría energética del edificio", "Sesión de fisioterapia", "Alojamiento web plan Pro 12 meses",
    "Corrección de textos (230 páginas)", "Visita técnica y presupuesto", "Peritaje de daños por agua",
    "Gestión de redes sociales", "Certificado de eficiencia energética", "Transporte Zaragoza-Bilbao", "Dirección de obra, fase II",
)  # fmt: skip
"""What professionals and service firms bill."""

WARES: Final = (
    "Tornillo M8x40 zincado (caja 100 uds.)", "Pintura plástica mate blanco 15 L", "Cable manguera 3x2,5 mm²", "Saco cemento CEM II 25 kg",
    "Silla de oficina ergonómica", "Tóner HP 305A negro", "Monitor 27\" 4K", "Papel A4 80 g, paquete 500 h", "Batería 12V 70Ah",
    "Filtro de aceite", "Neumático 205/55 R16 91V", "Aceite de oliva virgen extra 5 L", "Vino tinto crianza 2021", "Jamón ibérico de cebo",
    "Harina de fuerza saco 25 kg", "Queso curado de oveja", "Caja de mandarinas", "Guantes de nitrilo talla L", "Estantería metálica 5 baldas",
    "Grifo monomando lavabo", "Termo eléctrico 80 litros", "Placa de yeso 13 mm", "Bomba de agua 1 CV", "Lámpara LED E27 10 W",
    "Teclado inalámbrico", "Disco SSD 1 TB", "Sábana bajera 150x200", "Camiseta algodón serigrafiada", "Semillas de girasol",
    "Abono orgánico granulado",
)  # fmt: skip
"""What wholesalers and workshops bill."""

SHOP: Final = (
    "Café con leche", "Tostada tomate", "Menú del día", "Agua mineral 50cl", "Caña", "Bocadillo jamón", "Barra de pan",
    "Leche entera 1L", "Huevos M docena", "Plátanos kg", "Detergente", "Cuaderno A5", "Bolígrafo azul", "Pilas AA x4",
    "Champú", "Aspirina 500mg", "Paraguas", "Bombilla LED", "Tarta de queso", "Periódico",
)  # fmt: skip
"""What shops and bars write on a ticket."""
